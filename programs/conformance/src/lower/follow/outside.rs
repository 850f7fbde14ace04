//! Calls whose body is not entered: functions of the library, functions that write, and unknown ones.

use canonical::{Call, FunctionId, Type, library_name};

use super::eval::{Spot, State};
use super::step::Steps;
use super::value::{Base, Val};
use crate::flow::At;
use crate::library;

/// The maximum number of bytes that are copied at once.
const COPIED: i128 = 4_096;

/// Library functions that store what they read from outside through a pointer.
const READERS: [&str; 14] = [
    "fgets",
    "fread",
    "fread_unlocked",
    "fscanf",
    "getdelim",
    "getline",
    "gets",
    "pread",
    "read",
    "readlink",
    "readv",
    "scanf",
    "vfscanf",
    "vscanf",
];

/// The readers that store the data through a pointer that they find in memory.
const REACHING: [&str; 3] = ["getdelim", "getline", "readv"];

/// Functions that fill memory. They write at most as many bytes as the product of these arguments.
const COUNTED: [(&str, &[usize]); 6] = [
    ("fgets", &[1]),
    ("fread", &[1, 2]),
    ("fread_unlocked", &[1, 2]),
    ("pread", &[2]),
    ("read", &[2]),
    ("snprintf", &[1]),
];

/// Returns the arguments that a library function fills. It only reads the others.
fn written(name: &str) -> std::ops::Range<usize> {
    match name {
        "sscanf" | "fscanf" | "vsscanf" | "vfscanf" => 2..usize::MAX,
        "scanf" | "vscanf" => 1..usize::MAX,
        "read" | "pread" | "readlink" | "stat" | "lstat" | "fstat" => 1..2,
        "fgets" | "fread" | "fread_unlocked" | "gets" | "memcpy" | "memmove" | "mempcpy"
        | "memset" | "snprintf" | "sprintf" | "stpcpy" | "strcat" | "strcpy" | "strlcat"
        | "strlcpy" | "strncat" | "strncpy" | "vsnprintf" | "vsprintf" => 0..1,
        _ if name.starts_with("strto") && !name.starts_with("strtok") => 1..2,
        _ => 0..usize::MAX,
    }
}

/// Returns the maximum number of bytes that a call fills, if known.
fn counted(name: &str, values: &[Val]) -> Option<i64> {
    let (_, arguments) = COUNTED.iter().find(|(own, _)| *own == name)?;
    arguments.iter().try_fold(1i64, |product, k| match values.get(*k) {
        Some(Val::Int(count)) => product.checked_mul(i64::try_from(*count).ok()?),
        _ => None,
    })
}

impl Steps<'_, '_> {
    /// The effect of a call.
    pub(super) fn outside(
        &self,
        state: &mut State,
        at: At,
        target: FunctionId,
        call: &Call,
        values: &[Val],
    ) {
        let function = self.machine.source.function(target);
        let changed = |base: &Base| match base {
            Base::Static(id) => {
                library::changes_variable(&function.name, &self.machine.source.variable(*id).name)
            }
            _ => false,
        };
        let own: Vec<Base> = state.memory.objects.keys().copied().filter(changed).collect();
        own.into_iter().for_each(|base| self.machine.smash(state, base, false));
        if function.body.is_some() {
            // The function writes, so its body is not followed.
            let effect = self.lowering.context.effect(target).cloned().unwrap_or_default();
            for variable in effect.variables {
                self.machine.smash(state, Base::Static(variable), true);
            }
            if effect.unknown || !effect.through.is_empty() {
                self.machine.smash_all(state, true, effect.unknown);
            }
        } else if self.known(state, at, &function.name, call, values) {
            return;
        } else if !library::is_known(&function.name) {
            self.unknown(state, &function.name, at, call);
        } else if !library::keeps_memory(&function.name) {
            let lost = !READERS.contains(&function.name.as_str())
                && !library::is_of_the_system(&function.name)
                && !self.is_open(state, values);
            let plain = library_name(&function.name);
            if REACHING.contains(&function.name.as_str()) {
                self.machine.smash_all(state, true, false);
            }
            self.fill(state, plain, call, values, lost);
        }
        let is_own = function.body.is_none()
            && library::is_known(&function.name)
            && !library::is_of_the_system(&function.name)
            && !READERS.contains(&function.name.as_str())
            && !values.is_empty()
            && !self.is_open(state, values);
        match &call.result {
            Some(_) if is_own => self.result(state, call, Val::Lost),
            Some(target) => self.open(state, at, target, library::results(&function.name)),
            None => {}
        }
    }

    /// An unknown function. If it writes, or does nothing according to the settings, it changes only its arguments.
    fn unknown(&self, state: &mut State, name: &str, at: At, call: &Call) {
        let settings = self.lowering.settings;
        let graph = self.machine.source.function(at.0).body.as_ref();
        let place = graph.and_then(|graph| graph.edges[at.1].place);
        let is_said = settings.functions.contains_key(name)
            || settings.macros.iter().any(|own| own == name)
            || self.lowering.note(name, place).is_some();
        if !is_said {
            self.machine.smash_all(state, false, true);
            return;
        }
        for argument in &call.arguments {
            if let canonical::ExprKind::Load(lvalue) = &argument.below_casts().kind
                && settings.macros.iter().any(|own| own == name)
            {
                let spot = self.machine.locate(state, lvalue);
                self.machine.write(state, &spot, Val::Any);
            }
        }
    }

    /// Returns true if a value, or the memory to which it points, comes from outside.
    fn is_open(&self, state: &State, values: &[Val]) -> bool {
        values.iter().any(|value| match value {
            Val::Any | Val::Term(_) | Val::Within(_, false) => true,
            Val::Pointer(base, _) | Val::Within(base, true) => {
                let cells = state.memory.objects.get(base);
                let is_open = |value: &Val| matches!(value, Val::Any | Val::Term(_));
                cells.is_some_and(|cells| cells.values().any(|(_, value)| is_open(value)))
            }
            _ => false,
        })
    }

    /// Gives new values to the parts of objects to which arguments point.
    fn fill(&self, state: &mut State, name: &str, call: &Call, values: &[Val], lost: bool) {
        let written = written(name);
        for (k, (argument, value)) in call.arguments.iter().zip(values).enumerate() {
            match value {
                _ if !written.contains(&k) => {}
                Val::Pointer(base, at) => {
                    let element = argument.below_casts().ty.element().cloned();
                    let known = match &element {
                        Some(Type::Int(int)) if int.bits() == 8 => None,
                        Some(ty) => self.machine.source.size(ty),
                        None => None,
                    };
                    let known = known.filter(|_| !COUNTED.iter().any(|own| own.0 == name));
                    let bytes = known.and_then(|size| i64::try_from(size).ok());
                    let bytes = bytes.or_else(|| counted(name, values));
                    let bits = bytes.map_or(1 << 40, |bytes| bytes.saturating_mul(8));
                    let value = if lost { Val::Lost } else { Val::Any };
                    self.machine.write(state, &Spot::At(*base, at * 8, bits), value);
                }
                Val::Within(base, _) => self.machine.smash(state, *base, true),
                Val::Any | Val::Term(_) | Val::Lost
                    if self.is_memory(&argument.below_casts().ty) =>
                {
                    self.machine.smash_all(state, true, false);
                }
                _ => {}
            }
        }
    }

    /// Returns true for a pointer type other than a pointer to a stream.
    fn is_memory(&self, ty: &Type) -> bool {
        ty.element().is_some_and(|ty| match ty {
            Type::Composite(id) => {
                self.machine.source.composite(*id).tag.as_deref() != Some("_IO_FILE")
            }
            _ => true,
        })
    }

    /// Applies the effect of a function that is followed; returns false for other functions.
    fn known(&self, state: &mut State, at: At, name: &str, call: &Call, values: &[Val]) -> bool {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        match (name, values) {
            ("malloc" | "calloc" | "alloca", _)
            | ("realloc" | "reallocarray", [Val::Int(0), ..]) => {
                let base = Base::Heap(at.0, at.1);
                if state.memory.objects.contains_key(&base) {
                    self.machine.smash(state, base, true);
                    self.result(state, call, Val::Within(base, true));
                    return true;
                }
                let cells = match name {
                    "calloc" => super::memory::Cells::from([(0, (1 << 40, Val::Int(0)))]),
                    _ => super::memory::Cells::new(),
                };
                state.memory.objects.insert(base, cells.into());
                self.result(state, call, Val::Pointer(base, 0));
            }
            // The memory may move, but the former pointer is no longer used after that.
            (
                "realloc" | "reallocarray",
                [memory @ (Val::Pointer(Base::Heap(..), 0) | Val::Within(Base::Heap(..), _)), ..],
            ) => self.result(state, call, memory.clone()),
            ("realloc" | "reallocarray", _) => {
                self.fill(state, name, call, values, true);
                self.result(state, call, Val::Lost);
            }
            ("free", [Val::Pointer(base @ Base::Heap(..), 0)]) => {
                state.memory.objects.remove(base);
            }
            ("strlen", [Val::Pointer(base, from)]) => {
                let Some(text) = self.machine.text(state, *base, *from) else { return false };
                self.result(state, call, Val::Int(text.len() as i128));
            }
            ("strcmp", [Val::Pointer(a, i), Val::Pointer(b, k)]) => {
                let (one, other) =
                    (self.machine.text(state, *a, *i), self.machine.text(state, *b, *k));
                let (Some(one), Some(other)) = (one, other) else { return false };
                self.result(state, call, Val::Int(one.cmp(&other) as i128));
            }
            ("memset", [Val::Pointer(base, from), Val::Int(byte), Val::Int(count)])
                if *count >= 0 && (*byte == 0 || *count <= COPIED) =>
            {
                let (at, count) = (from * 8, i64::try_from(*count).unwrap_or(0) * 8);
                if *byte == 0 {
                    self.machine.write(state, &Spot::At(*base, at, count), Val::Int(0));
                } else {
                    for at in (at..at + count).step_by(8) {
                        self.machine.write(state, &Spot::At(*base, at, 8), Val::Int(byte & 255));
                    }
                }
                self.result(state, call, values[0].clone());
            }
            (
                "memcpy" | "memmove",
                [Val::Pointer(base, from), Val::Pointer(other, begin), Val::Int(count)],
            ) if (0..=COPIED).contains(count) => {
                let bits = i64::try_from(*count).unwrap_or(0) * 8;
                let read = Spot::At(*other, begin * 8, bits);
                let copy = self.machine.read(state, &read, &Type::Array(Type::Void.into(), None));
                self.machine.write(state, &Spot::At(*base, from * 8, bits), copy);
                self.result(state, call, values[0].clone());
            }
            ("strcpy", [Val::Pointer(base, from), Val::Pointer(other, begin)]) => {
                let Some(text) = self.machine.text(state, *other, *begin) else { return false };
                for (k, byte) in (from * 8..).step_by(8).zip(text.iter().chain(&[0])) {
                    let spot = Spot::At(*base, k, 8);
                    self.machine.write(state, &spot, Val::Int(i128::from(*byte)));
                }
                self.result(state, call, values[0].clone());
            }
            _ => return false,
        }
        true
    }
}
