#!/usr/bin/env python3
"""A client of `repfuzz analyze` in another language: which variables have one value only?

    repfuzz analyze prog.c --nats nats://127.0.0.1:4222 --session s --join 1 &
    constants.py 127.0.0.1 4222 s

It follows local variables of integer types whose address is not taken, through one function at a time, and asks nobody.
"""

import json
import operator
import socket
import sys
import time

# ---- NATS: a text protocol, of which a client needs eight words. ----


class Nats:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port))
        self.lines = self.socket.makefile("rb")
        self.lines.readline()  # INFO
        self.write(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\n')

    def write(self, data):
        self.socket.sendall(data)

    def subscribe(self, subject):
        self.write(f"SUB {subject} 1\r\n".encode())

    def publish(self, subject, message, reply=""):
        data = json.dumps(message).encode()
        self.write(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")

    def messages(self):
        """The messages that arrive. Empty ones are signs of life."""
        for line in self.lines:
            words = line.decode().split()
            if words[0] == "PING":
                self.write(b"PONG\r\n")
            elif words[0] == "MSG":
                data = self.lines.read(int(words[-1]) + 2)[:-2]
                if data:
                    yield json.loads(data)
            elif words[0] == "HMSG":
                # The only one with headers: nobody got a message that has a reply subject.
                self.lines.read(int(words[-1]) + 2)
                yield {"message": "nobody listens"}
            elif words[0] == "-ERR":
                sys.exit(line.decode().strip())


# ---- The protocol of `repfuzz analyze`. ----


def serve(nats, session, name, analysis):
    inbox = f"_INBOX.{name}.{session}"
    nats.subscribe(inbox)

    def join():
        nats.publish(f"repfuzz.analyze.{session}", {"name": name}, reply=inbox)

    join()
    text, client, to = "", None, None
    for message in nats.messages():
        kind, reply = message["message"], None
        if kind == "nobody listens":
            # The server may begin a moment later.
            time.sleep(0.1)
            join()
        elif kind == "refused":
            sys.exit(message["why"])
        elif kind == "welcome":
            to = message["to"]
        elif kind == "task":
            text += message["text"]
            if message["last"]:
                client = analysis(json.loads(text))
                reply = {"message": "ready"}
        elif kind == "step":
            # All is computed already.
            reply = {"message": "stepped", "progress": "finished"}
        elif kind == "get_values":
            formula = client.formula(message["at"], message["wanted"])
            reply = {"message": "values", "formula": formula}
        elif kind == "is_memory_over_approximated":
            reply = {"message": "answer", "yes": True}
        elif kind == "can_improve_memory_over_approximation":
            reply = {"message": "answer", "yes": False}
        elif kind == "report":
            invariants = {"id": message["id"], "message": "invariants", "hold": list(client.invariants())}
            nats.publish(to, invariants)
            reply = {"message": "reported", "end": "success", "verdicts": client.verdicts()}
        elif kind == "end":
            return
        if reply:
            if "id" in message:
                reply["id"] = message["id"]
            nats.publish(to, reply)


# ---- The analysis. ----

BITS = {"bool": 8, "char": 8, "short": 16, "int": 32, "long": 64, "long_long": 64}
OPERATORS = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt,
    "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
}


def integer(ty):
    """The integer type, if it is one that is followed."""
    found = ty.get("int") if isinstance(ty, dict) else None
    return found if found and found["rank"] in BITS else None


class Constants:
    def __init__(self, task):
        self.task, self.program = task, task["program"]
        self.segments = {variable: k + 1 for k, variable in enumerate(task["segments"])}
        self.variables = self.program["variables"]
        self.graphs = [self.follow(function["body"]) for function in self.program["functions"]]

    def followed(self, lvalue):
        """The variable, if it is all of one that nothing else can change."""
        variable = lvalue["base"].get("variable")
        if variable is None or lvalue["path"]:
            return None
        of = self.variables[variable]
        own = of["storage"] in ("local", "parameter", "temporary") and not of["address_taken"]
        return variable if own and integer(of["type"]) else None

    def loaded(self, expr):
        """True for the value of a variable that is followed."""
        kind = expr["kind"]
        return isinstance(kind, dict) and "load" in kind and self.followed(kind["load"]) is not None

    def value(self, state, expr):
        """The value of an expression; none if it may have several."""
        ty, kind = integer(expr["type"]), expr["kind"]
        if not ty or not isinstance(kind, dict):
            return None
        (name, of), = kind.items()
        value = None
        if name == "int":
            value = of
        elif name == "load":
            value = state.get(self.followed(of))
        elif name == "cast" and integer(of["type"]):
            value = self.value(state, of)
            if value is not None and ty["rank"] == "bool":
                return int(value != 0)
            return None if value is None else wrap(value, ty)
        elif name == "unary" and of[0] == "not":
            inner = self.value(state, of[1])
            value = None if inner is None else int(inner == 0)
        elif name == "binary" and of[0] == "xor" and of[1] == of[2] and self.loaded(of[1]):
            # Whatever it is: intervals alone cannot tell.
            value = 0
        elif name == "binary" and of[0] in OPERATORS:
            left, right = self.value(state, of[1]), self.value(state, of[2])
            if left is not None and right is not None:
                value = int(OPERATORS[of[0]](left, right))
        if value is None:
            return None
        wrapped = wrap(value, ty)
        # Signed overflow is undefined; nothing is said of what follows.
        return wrapped if wrapped == value or not ty["signed"] else None

    def after(self, state, action):
        """The state after an edge; none if it is not taken."""
        if isinstance(action, str):
            return state
        (name, of), = action.items()
        target, value = None, None
        if name == "guard":
            value = self.value(state, of["condition"])
            return None if value is not None and (value != 0) != of["holds"] else state
        if name == "assign":
            target, value = of["target"], self.value(state, of["value"])
        elif name == "call":
            target = of["result"]
        variable = self.followed(target) if target else None
        if variable is None:
            return state
        state = {known: v for known, v in state.items() if known != variable}
        return state if value is None else {**state, variable: value}

    def follow(self, graph):
        """The constants at each node that is reached."""
        if graph is None:
            return {}
        states, work = {graph["entry"]: {}}, [graph["entry"]]
        while work:
            node = work.pop()
            for edge in (graph["edges"][k] for k in graph["nodes"][node]["out"]):
                new, to = self.after(states[node], edge["action"]), edge["to"]
                if new is None:
                    continue
                if to in states:
                    old = states[to]
                    new = {v: c for v, c in new.items() if v in old and old[v] == c}
                    if new == old:
                        continue
                states[to] = new
                work.append(to)
        return states

    def state(self, at):
        """The state at a place; none if it is not reached."""
        return self.graphs[at["function"]].get(at["node"])

    def constants(self, state):
        """The dereference of each variable that has one value."""
        for variable, value in state.items():
            ty, segment = integer(self.variables[variable]["type"]), self.segments.get(variable)
            if segment:
                yield f"({'i' if ty['signed'] else 'u'}{BITS[ty['rank']]} {segment} 0)", value

    def formula(self, at, wanted=None):
        state = self.state(at)
        if state is None:
            return "false"
        parts = [
            f"(= {name} {value})" if value >= 0 else f"(= {name} (- {-value}))"
            for name, value in self.constants(state)
            if wanted is None or name in wanted
        ]
        return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})" if parts else "true"

    def invariants(self):
        for function, states in enumerate(self.graphs):
            graph = self.program["functions"][function]["body"]
            for node in range(len(graph["nodes"])) if graph else []:
                at = {"function": function, "node": node, "filter": [], "edges": []}
                yield {"at": at, "formula": self.formula(at)}

    def verdicts(self):
        return [self.verdict(assertion) for assertion in self.task["assertions"]]

    def verdict(self, assertion):
        state = self.state(assertion["at"])
        if state is None:
            return "proved"
        condition = assertion["condition"]
        return "proved" if condition and self.value(state, condition) else "unknown"


def wrap(value, ty):
    if ty["rank"] == "bool":
        return value & 1
    low = value & ((1 << BITS[ty["rank"]]) - 1)
    return low - (1 << BITS[ty["rank"]]) if ty["signed"] and low >> (BITS[ty["rank"]] - 1) else low


if __name__ == "__main__":
    host, port, session = sys.argv[1:4]
    serve(Nats(host, int(port)), session, "constants", Constants)
