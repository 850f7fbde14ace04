//! Accesses the parts of an unfolding by their numbers.

use super::*;

impl Unfolding {
    /// The point at which execution begins.
    pub fn entry(&self) -> PointId {
        self.point(ContextId(0), self.graph(ContextId(0)).entry)
    }

    /// A context.
    pub fn context(&self, id: ContextId) -> &Context {
        &self.contexts[id.0 as usize]
    }

    /// The graph of a context.
    pub fn graph(&self, id: ContextId) -> &Graph {
        static NONE: std::sync::OnceLock<Graph> = std::sync::OnceLock::new();
        let function = self.program.function(self.context(id).function);
        function.body.as_ref().unwrap_or_else(|| NONE.get_or_init(Graph::new))
    }

    /// The point of a node in a context.
    pub fn point(&self, context: ContextId, node: NodeId) -> PointId {
        PointId(self.context(context).first + node.0)
    }

    /// The context and the node of a point.
    pub fn node(&self, point: PointId) -> (ContextId, NodeId) {
        let context = self.points[point.0 as usize];
        (context, NodeId(point.0 - self.context(context).first))
    }

    /// The object of a variable in a context.
    pub fn object(&self, context: ContextId, variable: VariableId) -> Option<ObjectId> {
        self.context(context).objects.get(&variable).or(self.statics.get(&variable)).copied()
    }

    /// Returns the context to which a call from another one leads; `None` if the call has no copy.
    pub fn child(
        &self,
        context: ContextId,
        edge: EdgeId,
        function: FunctionId,
    ) -> Option<ContextId> {
        let from = self.point(context, self.graph(context).edge(edge).from);
        self.outgoing[from.0 as usize].iter().find_map(|link| match self.links[*link as usize] {
            Link { step: Step::Enter(child), edge: by, .. }
                if by == edge && self.context(child).function == function =>
            {
                Some(child)
            }
            _ => None,
        })
    }

    /// The context of a function that begins with any memory.
    pub fn summary(&self, function: FunctionId) -> Option<ContextId> {
        self.summaries.get(&function).copied()
    }

    /// Returns the calls through which a context was entered, the outermost first; `None` if it begins with any memory.
    pub fn calls(&self, context: ContextId) -> Option<Vec<CallEdge>> {
        if self.context(context).below_summary {
            return None;
        }
        let (mut calls, mut at) = (Vec::new(), context);
        while let Some((parent, edge)) = self.context(at).parent {
            calls.push((self.context(parent).function, edge));
            at = parent;
        }
        calls.reverse();
        Some(calls)
    }
}
