import { describe, expect, it } from "vitest";
import { stringify } from "../../json/json";
import { addBranch, appendTo, begin, connect, copied, disconnect, duplicate, handleAll, insertOn, paste, reconnect, remove, replaceType, setEdge, setNode } from "./edits";
import { drawingOf } from "./drawing";
import { changed, redone, started, undone } from "./history";
import { mustHandle, outcomesOf, unhandled } from "./outcomes";
import { EMPTY, nodeOf, type Patch, type Patches, readPatch, readPatches, writePatches } from "./patch";
import { blocksOf, orderOf } from "./paths";
import { placedProblem } from "./problems";
import { patchAt, slotRegion, stepsOf, withPatch } from "./regions";
import { connection } from "./rules";

const approval = { type: "approval", name: "Finance", config: {} };
const condition = { type: "condition", name: "Large", config: { expression: "" } };
const split = { type: "parallel_split", name: "Both", config: {} };
const wait = { type: "wait_timer", name: "Wait", config: { duration: "24h" } };
const PINS = { entry: "sys:slot:main:in", exit: "sys:slot:main:out" };

const ways = (patch: Patch) => patch.edges.map(({ source, outcome, target, returns }) => `${source}${outcome ? `[${outcome}]` : ""}${returns ? "<-" : "->"}${target}`);
const unhandledOf = (patch: Patch, id: string) => {
  const node = nodeOf(patch, id);
  return node ? unhandled(patch, node) : null;
};

describe("a patch as the server has it", () => {
  it("says what its author left to the compiler", () => {
    const patch = readPatch({ nodes: [{ id: "a", type: "approval" }, { id: "b", type: "wait_timer" }], edges: [{ source: "a", target: "b", outcome: "approved" }] }, "usr:slot:main:", PINS);
    expect(ways(patch)).toEqual(["a[approved]->b", "in->a", "b->out"]);
  });
  it("shortens ids that are written in full, and pins", () => {
    const patch = readPatch(
      { nodes: [{ id: "usr:slot:main:a", type: "approval" }], edges: [{ source: PINS.entry, target: "usr:slot:main:a" }, { source: "usr:slot:main:a", target: PINS.exit, outcome: "approved" }] },
      "usr:slot:main:",
      PINS,
    );
    expect(ways(patch)).toEqual(["in->a", "a[approved]->out"]);
  });
  it("is written with the modes that its edges mean, and not at all where it is empty", () => {
    const written = writePatches({ "slot:main": begin(EMPTY, condition).patch, "slot:other": EMPTY });
    expect(Object.keys(written)).toEqual(["slot:main"]);
    expect(written["slot:main"]).toMatchObject({ exit_edge_mode: "join" });
    expect(written["slot:main"]).not.toHaveProperty("entry_edge_mode");
  });
  it("is the same after being written and read", () => {
    const patches: Patches = { "slot:main": begin(EMPTY, split).patch };
    expect(readPatches(writePatches(patches))).toEqual(patches);
  });
});

describe("searching", () => {
  it("finds every step by its name, in slots and in bodies", () => {
    const loop = { type: "for_each", name: "Lines", config: { items: "entity.lines", body: { nodes: [], edges: [] } } };
    const outer: Patches = { "slot:main": begin(EMPTY, loop).patch, "slot:other": begin(EMPTY, approval).patch };
    const patches = withPatch(outer, { slot: "slot:main", bodies: ["lines"] }, begin(EMPTY, wait).patch);
    expect(stepsOf(patches).map(({ name, region }) => [name, region.slot, region.bodies])).toEqual([
      ["Lines", "slot:main", []],
      ["Wait", "slot:main", ["lines"]],
      ["Finance", "slot:other", []],
    ]);
  });
});

describe("inserting", () => {
  it("gives a step a way for each outcome that must have one", () => {
    expect(ways(begin(EMPTY, approval).patch)).toEqual(["in->finance", "finance[approved]->out", "finance[rejected]->out"]);
  });
  it("keeps what the edge waited for before the step", () => {
    const first = begin(EMPTY, approval).patch;
    const { patch, select } = insertOn(first, "finance>out#0", wait);
    expect(ways(patch)).toEqual(["in->finance", "finance[approved]->wait", "wait->out", "finance[rejected]->out"]);
    expect(select).toEqual({ kind: "node", id: "wait" });
  });
  it("brings a join and two branches along with a split", () => {
    const { patch } = begin(EMPTY, split);
    expect(patch.nodes.map(({ type }) => type).sort()).toEqual(["approval", "approval", "parallel_join", "parallel_split"]);
    expect(blocksOf(patch)).toEqual([{ split: "split", join: "join", inside: new Set(["approval", "approval_2"]) }]);
  });
  it("appends on the good way of a step", () => {
    const { patch } = appendTo(begin(EMPTY, approval).patch, "finance", wait);
    expect(ways(patch)).toContain("finance[approved]->wait");
    expect(ways(patch)).toContain("finance[rejected]->out");
  });
  it("appends to a split a branch of its own", () => {
    const { patch } = appendTo(begin(EMPTY, split).patch, "split", wait);
    expect(ways(patch)).toContain("split->wait");
    expect(ways(patch)).toContain("wait->join");
    expect(addBranch(patch, "split", wait).patch.nodes).toHaveLength(6);
  });
  it("never gives two steps one name", () => {
    const { patch } = duplicate(begin(EMPTY, approval).patch, "finance");
    expect(patch.nodes.map(({ id }) => id)).toEqual(["finance", "finance_2"]);
  });
});

describe("removing", () => {
  it("lets the neighbours meet", () => {
    const two = appendTo(begin(EMPTY, approval).patch, "finance", wait).patch;
    expect(ways(remove(two, ["finance"]).patch)).toEqual(["in->wait", "wait->out"]);
    expect(ways(remove(two, ["wait"]).patch)).toEqual(["in->finance", "finance[approved]->out", "finance[rejected]->out"]);
  });
  it("leaves an empty slot empty", () => {
    expect(remove(begin(EMPTY, approval).patch, ["finance"]).patch).toEqual(EMPTY);
  });
  it("takes a whole parallel part away with its split or its join", () => {
    for (const end of ["split", "join"]) {
      const patch = appendTo(begin(EMPTY, wait).patch, "wait", split).patch;
      expect(ways(remove(patch, [end]).patch)).toEqual(["in->wait", "wait->out"]);
    }
  });
});

describe("connecting", () => {
  const two = appendTo(begin(EMPTY, approval).patch, "finance", wait).patch;
  it("is a way back where it would lead back", () => {
    expect(connection(two, "wait", "finance")).toEqual({ kind: "returns" });
    expect(connection(two, "finance", "finance")).toEqual({ kind: "returns" });
  });
  it.each([
    ["finance", "in", "into_in"],
    ["out", "finance", "out_of_out"],
    ["in", "out", "in_to_out"],
  ])("from %s to %s is refused: %s", (source, target, why) => {
    expect(connection(two, source, target)).toEqual({ kind: "refused", why });
  });
  it("into or out of a branch is refused", () => {
    const patch = appendTo(begin(EMPTY, wait).patch, "wait", split).patch;
    expect(connection(patch, "wait", "approval")).toEqual({ kind: "refused", why: "crosses" });
    expect(connection(patch, "approval", "out")).toEqual({ kind: "refused", why: "crosses" });
    expect(connection(patch, "approval", "approval_2")).toEqual({ kind: "refused", why: "crosses" });
    expect(connection(patch, "wait", "join")).toEqual({ kind: "refused", why: "join_only" });
    expect(connection(patch, "approval", "join", { outcome: "error" })).toEqual({ kind: "forward" });
  });
  it("takes the outcome that has no way yet", () => {
    const open = disconnect(begin(EMPTY, approval).patch, "finance>out#1").patch;
    expect(unhandledOf(open, "finance")).toEqual(["rejected"]);
    expect(ways(connect(open, "finance", "out").patch)).toContain("finance[rejected]->out");
    expect(ways(handleAll(open, "finance").patch)).toContain("finance[rejected]->out");
  });
  it("moves an end, and says other words", () => {
    const patch = appendTo(begin(EMPTY, condition).patch, "large", wait).patch;
    const moved = reconnect(patch, "large>out#0", { target: "wait" });
    expect(ways(moved.patch)).toContain("large[false]->wait");
    expect(setEdge(moved.patch, "large>wait#1", { label: "small", outcome: null }).patch.edges.find(({ label }) => label)).toEqual({ source: "large", target: "wait", label: "small" });
  });
});

describe("another type in the same place", () => {
  it("keeps the ways and finds words for its own outcomes", () => {
    const { patch } = replaceType(begin(EMPTY, approval).patch, "finance", wait);
    expect(ways(patch)).toEqual(["in->finance", "finance->out"]);
    const back = replaceType(patch, "finance", approval).patch;
    expect(unhandledOf(back, "finance")).toEqual([]);
  });
});

describe("copying", () => {
  it("pastes what has one beginning onto an edge, under new names", () => {
    const two = appendTo(begin(EMPTY, approval).patch, "finance", wait).patch;
    const pasted = paste(two, "in>finance#0", copied(two, ["finance", "wait"]));
    expect(pasted && ways(pasted.patch)).toEqual(
      ["in->finance_2", "finance_2[approved]->wait_2", "wait_2->finance", "finance[approved]->wait", "wait->out", "finance[rejected]->out"],
    );
    expect(paste(two, "in>finance#0", { nodes: two.nodes, edges: [] })).toBeNull();
  });
});

describe("one stack", () => {
  it("gives the same bytes after ten steps back and ten on", () => {
    let history = started({});
    const region = slotRegion("slot:main");
    const edit = (change: (patch: Patch) => { patch: Patch }) => {
      history = changed(history, withPatch(history.present, region, change(patchAt(history.present, region)).patch));
    };
    edit((patch) => begin(patch, approval));
    edit((patch) => insertOn(patch, "in>finance#0", condition));
    edit((patch) => setNode(patch, "large", { config: { expression: "entity.total > 10000" } }));
    edit((patch) => appendTo(patch, "finance", split));
    edit((patch) => addBranch(patch, "split", wait));
    edit((patch) => setEdge(patch, "split>wait#0", { label: "slow" }));
    edit((patch) => remove(patch, ["approval_2"]));
    edit((patch) => replaceType(patch, "approval", wait));
    edit((patch) => duplicate(patch, "finance"));
    edit((patch) => setNode(patch, "finance", { name: "Money" }));
    const bytes = [history, ...Array.from({ length: 10 }, () => (history = undone(history)))].map(({ present }) => stringify(writePatches(present)));
    expect(bytes.at(-1)).toBe("{}");
    expect(new Set(bytes).size).toBe(11);
    for (const before of bytes.slice(0, 10).reverse()) expect(stringify(writePatches((history = redone(history)).present))).toBe(before);
    expect(redone(history)).toBe(history);
  });
  it("takes typing in one field for one thing", () => {
    let history = started({});
    for (const name of ["a", "ab", "abc"]) history = changed(history, { "slot:main": { nodes: [{ id: "x", type: "task", name, config: {} }], edges: [] } }, "x/name");
    expect(undone(history).present).toEqual({});
  });
});

describe("outcomes", () => {
  it.each([
    ["approval", { timeout: "72h" }, ["approved", "rejected", "timeout", "error"]],
    ["condition", {}, ["completed"]],
    ["condition", { expression: "x" }, ["true", "false"]],
    ["task", { answers: ["yes", "no"] }, ["yes", "no", "error"]],
    ["acme.score", {}, ["good", "poor", "error"]],
  ])("of %s", (type, config, outcomes) => {
    expect(outcomesOf({ type, config }, new Map([["acme.score", ["good", "poor", "error"]]]))).toEqual(outcomes);
  });
  it("but error must have a way", () => {
    expect(mustHandle({ type: "action", config: {} })).toEqual(["completed"]);
  });
});

describe("bodies", () => {
  const each = { type: "for_each", name: "Each", config: { items: "entity.lines" } };
  it("are regions of their own, written into their step", () => {
    let patches: Patches = { "slot:main": begin(EMPTY, each).patch };
    const inside = { slot: "slot:main", bodies: ["each"] };
    patches = withPatch(patches, inside, begin(patchAt(patches, inside), wait).patch);
    expect(ways(patchAt(patches, inside))).toEqual(["in->wait", "wait->out"]);
    const drawn = drawingOf(patchAt(patches, slotRegion("slot:main")));
    expect(drawn.frames.map(({ id }) => id)).toEqual(["body:each"]);
    expect(drawn.nodes.map(({ id }) => id)).toContain("each/wait");
    expect(placedProblem({ path: 'slots["slot:main"].nodes[0].config.body.nodes[0].config.duration', code: "config.invalid", message: "", hint: "", severity: "error" }, patches)).toMatchObject({
      region: inside,
      node: "wait",
      field: "config.duration",
    });
  });
});

describe("problems", () => {
  it("are put onto the step or the edge they name", () => {
    const patches: Patches = { "slot:main": begin(EMPTY, approval).patch };
    const problem = { code: "x", message: "", hint: "", severity: "error" };
    expect(placedProblem({ ...problem, path: 'slots["slot:main"].nodes[0].config' }, patches)).toMatchObject({ node: "finance", field: "config" });
    expect(placedProblem({ ...problem, path: 'slots["slot:main"].edges[1].outcome' }, patches)).toMatchObject({ edge: "finance>out#0", field: "outcome" });
    expect(placedProblem({ ...problem, path: "base_ref" }, patches)).toMatchObject({ region: null });
  });
});

it("draws what is in a circle too", () => {
  const patch: Patch = { nodes: [{ id: "a", type: "task", config: {} }, { id: "b", type: "task", config: {} }], edges: [{ source: "a", target: "b" }, { source: "b", target: "a" }] };
  expect([...orderOf(patch)].sort()).toEqual(["a", "b", "in", "out"]);
});
