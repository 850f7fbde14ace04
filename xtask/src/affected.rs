//! The tests of the packages whose files have changed.
//!
//! `cargo test -p PACKAGE` unifies the features of only that package's dependencies, so it builds most of them again.
//! This command selects targets in the whole workspace, lets cargo build those that are out of date, and runs the
//! executables of the packages in question.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::{Message, Metadata, MetadataCommand, Package};

use crate::tree::tracked;

/// The selection of what is tested.
#[derive(Debug, clap::Args)]
pub struct Affected {
    /// Commit with which the work tree is compared
    #[arg(default_value = "HEAD")]
    commit: String,
    /// Test the packages that depend on those that have changed as well
    #[arg(long)]
    dependents: bool,
    /// Print the packages, and test nothing
    #[arg(long)]
    list: bool,
    /// Arguments of the test programs: a part of the tests' names, for one
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// A test program.
struct TestProgram {
    package: String,
    target: String,
    executable: Utf8PathBuf,
    folder: Utf8PathBuf,
}

/// Tests what has changed. Returns false if a test failed.
///
/// # Errors
///
/// Returns an error if git or cargo fails.
pub fn test(affected: &Affected) -> Result<bool, String> {
    let metadata = MetadataCommand::new().no_deps().other_options(["--locked".to_owned()]).exec();
    let metadata = metadata.map_err(|e| e.to_string())?;
    let root = metadata.workspace_root.as_std_path();
    let changed = changed_files(root, &affected.commit)?;
    let mut packages = of_files(&metadata, root, &changed);
    if affected.dependents {
        add_dependents(&metadata, &mut packages);
    }
    if packages.is_empty() {
        println!("no package has changed since {}", affected.commit);
        return Ok(true);
    }
    println!("affected: {}", packages.iter().map(String::as_str).collect::<Vec<_>>().join(" "));
    if affected.list {
        return Ok(true);
    }
    let begun = Instant::now();
    let programs = build(&metadata, root, &packages)?;
    println!("built in {:.0} s", begun.elapsed().as_secs_f64());
    let mut failed = Vec::new();
    for program in &programs {
        println!("\n{} {}", program.package, program.target);
        let mut run = Command::new(&program.executable);
        run.args(&affected.arguments).current_dir(&program.folder);
        run.env("CARGO_MANIFEST_DIR", &program.folder).env("CARGO_PKG_NAME", &program.package);
        let status = run.status().map_err(|e| format!("{}: {e}", program.executable))?;
        if !status.success() {
            failed.push(format!("{} {}", program.package, program.target));
        }
    }
    let (count, seconds) = (programs.len(), begun.elapsed().as_secs_f64());
    println!("\n{count} test programs in {seconds:.0} s; failed: {}", failed.len());
    failed.iter().for_each(|program| println!("  {program}"));
    Ok(failed.is_empty())
}

/// Returns the files that differ from a commit, and those that git does not track yet, relative to the root.
fn changed_files(root: &Path, commit: &str) -> Result<Vec<PathBuf>, String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output();
        let output = output.map_err(|e| format!("git: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.split_terminator('\0').map(PathBuf::from).collect::<Vec<_>>())
    };
    // Use both names of a renamed file, because its old package lacks it now.
    let mut files =
        git(&["diff", "-z", "--name-only", "--no-renames", "--relative", commit, "--"])?;
    files.extend(git(&["ls-files", "-z", "--others", "--exclude-standard"])?);
    Ok(files)
}

/// Returns the names of the packages to which `files` belong: the innermost around each, and the [`readers`] of those
/// that are not sources. If a file outside of all packages, such as a manifest of the workspace, has no reader and is
/// no page, all packages.
fn of_files(metadata: &Metadata, root: &Path, files: &[PathBuf]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let texts = texts(metadata, root);
    for file in files {
        let innermost = innermost(metadata, root, file);
        found.extend(innermost.map(|package| package.name.to_string()));
        if innermost.is_some_and(|package| root.join(file).starts_with(folder(package).join("src")))
        {
            continue;
        }
        let readers = readers(&texts, file);
        let is_page = file.extension().is_some_and(|end| end == "md");
        if innermost.is_none() && readers.is_empty() && !is_page {
            return metadata.packages.iter().map(|package| package.name.to_string()).collect();
        }
        found.extend(readers);
    }
    found
}

/// Returns the innermost package around a file.
fn innermost<'m>(metadata: &'m Metadata, root: &Path, file: &Path) -> Option<&'m Package> {
    let inside = |package: &&Package| root.join(file).starts_with(folder(package));
    let depth = |package: &&Package| folder(package).components().count();
    metadata.packages.iter().filter(inside).max_by_key(depth)
}

/// Returns the texts in which packages name the files that they read, each with the package: sources, and where symbolic
/// links lead.
fn texts(metadata: &Metadata, root: &Path) -> Vec<(String, String)> {
    let text = |path: &Path| match std::fs::read_link(root.join(path)) {
        Ok(to) => Some(to.display().to_string()),
        Err(_) if path.extension().is_some_and(|end| end == "rs") => {
            std::fs::read_to_string(root.join(path)).ok()
        }
        Err(_) => None,
    };
    let of_package =
        |path: PathBuf| Some((innermost(metadata, root, &path)?.name.to_string(), text(&path)?));
    tracked(root, &["."]).unwrap_or_default().into_iter().filter_map(of_package).collect()
}

/// Returns the packages with a text that contains the path of a file, or of a folder around it.
fn readers(texts: &[(String, String)], file: &Path) -> BTreeSet<String> {
    // A folder of the root is in many a text.
    let is_whole = |path: &&Path| *path == file || path.components().count() > 1;
    let paths: Vec<String> =
        file.ancestors().filter(is_whole).map(|path| path.display().to_string()).collect();
    let reads = |text: &str| paths.iter().any(|path| text.contains(path.as_str()));
    texts.iter().filter(|(_, text)| reads(text)).map(|(package, _)| package.clone()).collect()
}

/// Adds the packages of the workspace that depend on `packages`, at any distance.
fn add_dependents(metadata: &Metadata, packages: &mut BTreeSet<String>) {
    loop {
        let depends = |package: &&Package| {
            package.dependencies.iter().any(|on| on.path.is_some() && packages.contains(&on.name))
        };
        let new: Vec<String> =
            metadata.packages.iter().filter(depends).map(|p| p.name.to_string()).collect();
        let before = packages.len();
        packages.extend(new);
        if packages.len() == before {
            return;
        }
    }
}

/// Builds the test programs of `packages`.
fn build(
    metadata: &Metadata,
    root: &Path,
    packages: &BTreeSet<String>,
) -> Result<Vec<TestProgram>, String> {
    let wanted = |package: &&Package| packages.contains(package.name.as_str());
    let mut targets = BTreeSet::new();
    for package in metadata.packages.iter().filter(wanted) {
        targets.extend(package.targets.iter().filter(|t| t.is_test()).map(|t| t.name.clone()));
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--workspace", "--features", "repfuzz/fleet", "--locked"]);
    cargo.args(["--no-run", "--lib", "--bins"]);
    cargo.args(["--message-format", "json-render-diagnostics"]).current_dir(root);
    targets.iter().for_each(|target| {
        cargo.args(["--test", target]);
    });
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|e| format!("cargo: {e}"))?;
    if !output.status.success() {
        return Err("the tests could not be built".to_owned());
    }
    let mut programs = Vec::new();
    for message in Message::parse_stream(&output.stdout[..]) {
        let Ok(Message::CompilerArtifact(artifact)) = message else { continue };
        let package = metadata.packages.iter().find(|package| package.id == artifact.package_id);
        let (Some(package), true) = (package.filter(wanted), artifact.profile.test) else {
            continue;
        };
        let Some(executable) = artifact.executable else { continue };
        programs.push(TestProgram {
            package: package.name.to_string(),
            target: artifact.target.name,
            executable,
            folder: Utf8PathBuf::from_path_buf(folder(package).to_owned()).unwrap_or_default(),
        });
    }
    Ok(programs)
}

/// Returns the folder of a package.
fn folder(package: &Package) -> &Path {
    package.manifest_path.parent().map_or(Path::new(""), |path| path.as_std_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Metadata {
        MetadataCommand::new().no_deps().exec().unwrap()
    }

    fn packages_of(files: &[&str]) -> Vec<String> {
        let metadata = metadata();
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        of_files(&metadata, metadata.workspace_root.as_std_path(), &files).into_iter().collect()
    }

    #[test]
    fn a_file_belongs_to_the_innermost_package() {
        assert_eq!(packages_of(&["reports/src/report/sentence.rs"]), ["repfuzz-reports"]);
        assert_eq!(packages_of(&["equivalents/c/src/lib.rs"]), ["repfuzz-c"]);
        assert_eq!(packages_of(&["equivalents/src/lib.rs"]), ["repfuzz-equivalents"]);
    }

    #[test]
    fn a_page_belongs_to_the_tests_that_read_it_and_a_manifest_to_all() {
        assert!(packages_of(&["docs/write-a-spec.md"]).contains(&"repfuzz".to_owned()));
        // Its path is in no source, nor whole in this one.
        assert_eq!(packages_of(&[concat!("docs/no-such", "-page.md")]), [""; 0]);
        assert_eq!(packages_of(&[concat!("rust", "fmt.toml")]).len(), metadata().packages.len());
    }

    #[test]
    fn a_file_belongs_to_those_that_read_it_by_a_link_or_its_path_as_well() {
        // `clients/descriptions` leads to their folder.
        assert!(packages_of(&["corpus/clients/djxl.toml"]).contains(&"repfuzz-clients".to_owned()));
        assert!(packages_of(&["README.md"]).contains(&"repfuzz".to_owned()));
        let spec = packages_of(&["normalizers/specs/ddraw/ddraw.rs"]);
        assert!(spec.contains(&"repfuzz-analyses".to_owned()), "{spec:?}");
    }

    #[test]
    fn dependents_are_found_at_any_distance() {
        let mut packages = BTreeSet::from(["repfuzz-clients".to_owned()]);
        add_dependents(&metadata(), &mut packages);
        for dependent in ["repfuzz-campaign", "repfuzz-reports", "repfuzz-fleet", "repfuzz"] {
            assert!(packages.contains(dependent), "{dependent}");
        }
        assert!(!packages.contains("repfuzz-inverter"));
    }
}
