//! The beginning of all paths.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use canonical::{FunctionId, Initial, NodeId, Program, Storage, VariableId};

use super::access::{Access, any, offset};
use super::execute::Executor;
use super::path::{Frame, Object, Path};

/// Returns the path that begins with a function, or one to abandon if memory cannot be initialized.
///
/// # Errors
/// As above.
#[allow(clippy::result_large_err)] // It is no larger than the path that there is otherwise.
pub fn first(program: &Program, entry: FunctionId) -> Result<Path, Path> {
    let executor = Executor { program };
    let node = program.function(entry).body.as_ref().map_or(NodeId(0), |graph| graph.entry);
    let frame = Frame { function: entry, node, variables: HashMap::new(), waiting: None };
    let mut path = Path {
        frames: vec![frame],
        objects: Vec::new(),
        statics: Arc::default(),
        literals: BTreeMap::new(),
        conditions: Vec::new(),
        inputs: Vec::new(),
        model: Vec::new(),
        fits: true,
        edges: 0,
    };
    let mut statics = HashMap::new();
    for (k, variable) in program.variables.iter().enumerate() {
        if matches!(variable.storage, Storage::Global | Storage::Static) {
            let size = program.size(&variable.ty).unwrap_or(0);
            let zero = variable.initial != Initial::Unknown;
            statics.insert(VariableId::new(k), path.allocate(Object::new(size.into(), zero)));
        }
    }
    path.statics = Arc::new(statics);
    let values = program.variables.iter().filter_map(|variable| match &variable.initial {
        Initial::Values(values) => Some(values),
        _ => None,
    });
    for (target, value) in values.flatten() {
        if executor.assign(&mut path, target, value).is_err() {
            return Err(path);
        }
    }
    for parameter in &program.function(entry).parameters {
        let ty = &program.variable(*parameter).ty;
        if let (Ok(value), Ok(object)) =
            (any(&mut path, ty), executor.variable(&mut path, *parameter))
        {
            // A new object has room for any scalar.
            let _ = Access { program }.store(&mut path, object, &offset(0), ty, &value);
        }
    }
    Ok(path)
}
