//! The examples in `docs/nightly.md` work, as far as the required tools are installed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};

use crate::{file, folder, installed, repfuzz, seed};

/// The examples in this language.
fn examples(language: &str) -> Vec<String> {
    let text = fs::read_to_string(file("docs/nightly.md")).unwrap();
    let begin = format!("```{language}\n");
    let ends = |rest: &str| rest.split_once("```").expect("it has an end").0.to_owned();
    text.split(&begin).skip(1).map(ends).collect()
}

fn yaml(example: &str) -> Yaml<'_> {
    let documents = Yaml::load_from_str(example).unwrap();
    let [document] = &documents[..] else { panic!("one document") };
    document.clone()
}

fn at<'y>(yaml: &'y Yaml<'y>, path: &str) -> &'y Yaml<'y> {
    path.split('.').fold(yaml, |yaml, key| match key.parse() {
        Ok(place) => yaml.as_sequence_get(place).unwrap_or_else(|| panic!("{path}")),
        Err(_) => yaml.as_mapping_get(key).unwrap_or_else(|| panic!("{path}")),
    })
}

fn text<'y>(yaml: &'y Yaml<'y>, path: &str) -> &'y str {
    at(yaml, path).as_str().unwrap_or_else(|| panic!("{path} is no text"))
}

/// A folder with a mock `repfuzz` in `bin` that records its arguments, and fails if the real one
/// would reject them; and an `sbatch` that runs its script at once.
struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let stage = Self { folder: folder() };
        let real = assert_cmd::cargo::cargo_bin!("repfuzz").display().to_string();
        fs::create_dir(stage.path("bin")).unwrap();
        stage.program(
            "repfuzz",
            &format!("echo \"$*\" >> \"$ASKED\"\n'{real}' \"$@\" --help > /dev/null"),
        );
        stage.program(
            "sbatch",
            "for word; do last=$word; done\n\
             case $1 in --parsable) echo 17;; *17) sh -ec \"$last\";; *) exit 9;; esac",
        );
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The calls of repfuzz by a script, a line each.
    fn asked(&self, script: &str, env: &[(&str, &str)]) -> Vec<String> {
        let asked = self.path("asked");
        let _ = fs::remove_file(&asked);
        let path = std::env::join_paths(
            [self.path("bin")].into_iter().chain(std::env::split_paths(&env_path())),
        );
        let output = Command::new("sh")
            .args(["-euc", script])
            .current_dir(self.folder.path())
            .env("PATH", path.unwrap())
            .env("ASKED", &asked)
            .envs(env.iter().copied())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{script}: {stderr}");
        fs::read_to_string(asked).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

fn env_path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

#[test]
fn the_configuration_and_what_is_accepted_are_read() {
    let [config, formats, accepted] = &examples("toml")[..] else { panic!("three of them") };
    let folder = folder();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    // A night goes on without a client: here none may be left.
    let config = config.replace("\"vips\"", "\"no such client\"");
    put("nightly.toml", &format!("{config}\n{formats}"));
    put("accepted.toml", accepted);
    fs::create_dir(folder.path().join("seeds")).unwrap();
    repfuzz!("new", "mine", "-o", folder.path()).fine();
    for (from, to) in [
        (seed("tiny.tif"), "a.tif"),
        (file("corpus/png/ff32.png"), "a.png"),
        (file("corpus/bmp/gm24.bmp"), "a.dat"),
        (folder.path().join("seed.mine"), "a.mine"),
    ] {
        fs::copy(from, folder.path().join("seeds").join(to)).unwrap();
    }
    // Both are valid: only the clients are missing.
    let ran = repfuzz!("nightly", folder.path().join("nightly.toml"));
    assert!(ran.error().contains("clients/mine.toml: No such file"), "{}", ran.stderr);
}

#[test]
fn the_workflow_of_the_action_gives_inputs_that_it_has() {
    let [example, ..] = &examples("yaml")[..] else { panic!("three of them") };
    let (flow, action) = (yaml(example), fs::read_to_string(file("action.yml")).unwrap());
    let (action, mut given) = (yaml(&action), 0);
    for step in at(&flow, "jobs.nightly.steps").as_sequence().unwrap() {
        let uses = step.as_mapping_get("uses").and_then(Yaml::as_str).unwrap_or_default();
        if !uses.contains("/repfuzz@") {
            continue;
        }
        for (input, _) in at(step, "with").as_mapping().unwrap() {
            given += 1;
            at(&action, &format!("inputs.{}", input.as_str().unwrap()));
        }
    }
    assert!(given > 0, "a step uses the action");
}

#[test]
fn the_workflow_is_one() {
    let [_, example, _] = &examples("yaml")[..] else { panic!("three of them") };
    let flow = yaml(example);
    assert!(text(&flow, "on.schedule.0.cron").split(' ').count() == 5);
    assert_eq!(text(&flow, "permissions.security-events"), "write");
    let stage = Stage::new();
    let mut asked = Vec::new();
    for step in at(&flow, "jobs.nightly.steps").as_sequence().unwrap() {
        let get = |key: &str| step.as_mapping_get(key).and_then(Yaml::as_str);
        match (get("uses"), get("run")) {
            (Some(action), None) => {
                assert!(action.split_once('@').is_some_and(|a| !a.1.is_empty()))
            }
            (None, Some(run)) if run.starts_with("repfuzz ") => asked.extend(stage.asked(run, &[])),
            (None, Some(run)) => drop(stage.asked(&format!("set -n\n{run}"), &[])),
            both => panic!("a step uses an action or runs a command: {both:?}"),
        }
    }
    assert_eq!(asked, ["clients --install tiff2rgba,vips", "nightly nightly.toml"]);
    if installed("actionlint") {
        let path = stage.path("nightly.yml");
        fs::write(&path, example).unwrap();
        let output = Command::new("actionlint").arg(path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn the_workflow_keeps_its_cache_when_it_fails_and_installs_what_it_needs() {
    let [_, example, _] = &examples("yaml")[..] else { panic!("three of them") };
    let flow = yaml(example);
    let steps = at(&flow, "jobs.nightly.steps").as_sequence().unwrap();
    let find = |key: &str, part: &str| {
        let has = |step: &Yaml<'_>| {
            step.as_mapping_get(key)
                .and_then(Yaml::as_str)
                .is_some_and(|value| value.contains(part))
        };
        steps.iter().position(has).unwrap_or_else(|| panic!("no step with {key}: {part}"))
    };
    let night = find("run", "repfuzz nightly");
    let restored = find("uses", "actions/cache/restore@");
    let saved = find("uses", "actions/cache/save@");
    // `actions/cache` alone saves nothing after a failure.
    assert!(restored < night && night < saved && !example.contains("actions/cache@"));
    assert!(text(&steps[saved], "if").starts_with("always()"));
    assert_eq!(text(&steps[restored], "with.key"), text(&steps[saved], "with.key"));
    // A second attempt of one run must not find its key taken.
    assert!(text(&steps[saved], "with.key").contains("run_attempt"));
    for needed in ["bubblewrap", "cargo install", "clients --install"] {
        assert!(find("run", needed) < night, "{needed}");
    }
    for report in ["upload-sarif", "upload-artifact"] {
        let step = find("uses", report);
        assert!(step > night && text(&steps[step], "if") == "always()");
    }
}

#[test]
fn the_parts_of_the_kubernetes_job_are_all_there_are() {
    let [.., example] = &examples("yaml")[..] else { panic!("three of them") };
    let job = yaml(example);
    assert_eq!((text(&job, "apiVersion"), text(&job, "kind")), ("batch/v1", "Job"));
    assert_eq!(text(&job, "spec.completionMode"), "Indexed");
    let parts = at(&job, "spec.completions").as_integer().unwrap();
    assert_eq!(at(&job, "spec.parallelism").as_integer(), Some(parts));
    let pod = at(&job, "spec.template.spec");
    assert_eq!(text(pod, "restartPolicy"), "Never");
    let container = at(pod, "containers.0");
    let mounted = text(container, "volumeMounts.0.name");
    assert_eq!(text(pod, "volumes.0.name"), mounted);
    assert_eq!((text(container, "command.0"), text(container, "command.1")), ("sh", "-c"));
    let stage = Stage::new();
    for index in 0..parts {
        let env = [("JOB_COMPLETION_INDEX", &*index.to_string())];
        let asked = stage.asked(text(container, "command.2"), &env);
        let part = index + 1;
        let wanted =
            format!("nightly nightly.toml --shard {part}/{parts} --store parts/{index}.sqlite");
        assert_eq!(asked, [wanted]);
    }
}

#[test]
fn the_scripts_run_every_part_and_tell() {
    let [by_hand, part, both] = &examples("sh")[..] else { panic!("three of them") };
    let stage = Stage::new();
    let merged = |stores: &str, more: &str| {
        [
            format!("merge {stores} -o nightly.sqlite{more}"),
            "nightly nightly.toml --report-only".to_owned(),
        ]
    };
    let asked = stage.asked(by_hand, &[]);
    assert_eq!(asked[0], "nightly nightly.toml --shard 1/4 --store part-1.sqlite");
    assert_eq!(asked[1..], merged("part-*.sqlite", ""));
    assert!(part.starts_with("#!/bin/sh\n") && part.contains("#SBATCH --array=1-4 "));
    for id in 1..=4 {
        let asked = stage.asked(part, &[("SLURM_ARRAY_TASK_ID", &*id.to_string())]);
        let wanted = format!("nightly nightly.toml --shard {id}/4 --store parts/{id}.sqlite");
        assert_eq!(asked, [wanted]);
    }
    assert_eq!(stage.asked(both, &[]), merged("parts/*.sqlite", " --allow-missing"));
}

#[test]
fn systemd_takes_the_units() {
    let units = examples("ini");
    let stage = Stage::new();
    let mut names = Vec::new();
    for unit in &units {
        let name = unit.lines().next().unwrap().strip_prefix("# /etc/systemd/system/").unwrap();
        // It checks whether the program exists.
        let here = stage.path("bin/repfuzz").display().to_string();
        fs::write(stage.path(name), unit.replace("/usr/local/bin/repfuzz", &here)).unwrap();
        let command = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/"));
        if let Some(command) = command {
            assert_eq!(stage.asked(command, &[]), ["nightly nightly.toml"]);
        }
        names.push(name);
    }
    assert_eq!(names, ["repfuzz.service", "repfuzz.timer"]);
    if installed("systemd-analyze") {
        let paths: Vec<PathBuf> = names.iter().map(|name| stage.path(name)).collect();
        let output = Command::new("systemd-analyze").arg("verify").args(&paths).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        // Ignore messages about the machine's own units.
        let ours: Vec<&str> = said.lines().filter(|line| is_about(line, &paths)).collect();
        assert_eq!(ours, [""; 0]);
    }
}

fn is_about(line: &str, paths: &[PathBuf]) -> bool {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().any(|path| line.contains(&name(path)))
}
