/**
 * Converts a case from the short form of suite files (`ask`, `call`, `calls` and so on) to its
 * steps, in order. Every step keeps the path of its text in the short form, so that problems are
 * reported at that path.
 */
import { unknownKey, type ValueProblem } from '../../kernel/check-value.ts';
import { isRecord, type Json } from '../../kernel/json.ts';
import { type ReadArguments, readCall, readTool, type WrittenCall } from './read-call.ts';
import { isTurnKey, modelTurnKeys, type TurnKey, turnKeys } from './turn-keys.ts';

type Path = readonly (string | number)[];

export interface ExpandContext {
  readonly readArguments: ReadArguments;
  readonly isContract: boolean;
  readonly caseKeys: readonly string[];
}

export interface ExpandedCase {
  readonly case: Json;
  readonly places: readonly Path[];
  readonly problems: readonly ValueProblem[];
}

/** Returns undefined for a case in the long form. */
export function expandCase(written: Json, context: ExpandContext): ExpandedCase | undefined {
  const turn = Object.fromEntries(Object.entries(written).filter(([key]) => isTurnKey(key)));
  const [first] = Object.keys(turn);
  if ('steps' in written) {
    const problem = problemOfTwoForms(first, written['steps']);
    return (
      problem && { case: withoutKeys(written, Object.keys(turn)), places: [], problems: [problem] }
    );
  }
  const unknown = unknownKeys(written, context.caseKeys);
  if (unknown.some(({ meant }) => meant === 'steps')) return undefined;
  const rest = withoutKeys(written, [...Object.keys(turn), ...unknown.map(({ path }) => path[0])]);
  if (first === undefined) {
    const message = 'This case does nothing; add ask or call.';
    const problems = unknown.length > 0 ? unknown : [{ path: [], message }];
    return { case: rest, places: [], problems };
  }
  const expansion = new Expansion(context);
  expansion.addTurn(turn, [], unknown);
  const { steps, places, problems } = expansion;
  return { case: { ...rest, steps }, places, problems };
}

/** A case with steps must have no short keys, and neither must its steps. */
function problemOfTwoForms(first: string | undefined, steps: unknown): ValueProblem | undefined {
  if (first !== undefined) {
    const message = `A case has either steps or the short keys; move ${first} into steps, or remove steps.`;
    return { path: [first], message, atKey: true };
  }
  for (const [index, step] of Array.isArray(steps) ? steps.entries() : []) {
    const key = isRecord(step) && !('kind' in step) ? Object.keys(step).find(isTurnKey) : undefined;
    if (key === undefined) continue;
    const message = `${key} is not a key of a step; write it as a key of the case, without steps.`;
    return { path: ['steps', index, key], message, atKey: true };
  }
  return undefined;
}

function withoutKeys(written: Json, keys: readonly unknown[]): Json {
  return Object.fromEntries(Object.entries(written).filter(([key]) => !keys.includes(key)));
}

function unknownKeys(written: Json, caseKeys: readonly string[]): ValueProblem[] {
  const free = [...freeTurnKeys(written), ...caseKeys].filter((key) => !(key in written));
  return Object.keys(written)
    .filter((key) => !isTurnKey(key) && !caseKeys.includes(key))
    .map((key) => unknownTurnKey([key], free));
}

/** Words of the long form or of other tools, with the key that an author probably meant. */
const otherWords: Readonly<Record<string, TurnKey>> = {
  prompt: 'ask',
  question: 'ask',
  tool: 'call',
  toolCall: 'call',
  called: 'calls',
  expect: 'calls',
  tools: 'calls',
  result: 'returns',
  error: 'fails',
  answer: 'says',
  response: 'says',
  turns: 'then',
};

function unknownTurnKey(path: ValueProblem['path'], free: readonly string[]): ValueProblem {
  const key = String(path.at(-1));
  const meant = Object.hasOwn(otherWords, key) ? otherWords[key] : undefined;
  if (meant === undefined || !free.includes(meant)) return unknownKey(path, free);
  return { path, message: `Unknown key ${key}; did you mean ${meant}?`, atKey: true, meant };
}

function freeTurnKeys(turn: Json): TurnKey[] {
  const likely: readonly TurnKey[] = 'ask' in turn ? ['calls', ...turnKeys] : turnKeys;
  return [...new Set(likely)].filter((key) => !(key in turn));
}

class Expansion {
  readonly steps: Json[] = [];
  readonly places: Path[] = [];
  readonly problems: ValueProblem[] = [];
  readonly #context: ExpandContext;
  #turns = 0;

  constructor(context: ExpandContext) {
    this.#context = context;
  }

  addTurn(turn: Json, at: Path, misspelt: readonly ValueProblem[]): void {
    this.problems.push(...misspelt);
    this.#checkKeys(turn, at, misspelt.length > 0);
    this.#ask(turn['ask'], [...at, 'ask']);
    const called = this.#calls(turn['call'], [...at, 'call']);
    for (const { call, place } of called) this.#add(place, toolCallStep(call));
    this.#expect(turn, at);
    this.#fails(
      turn,
      at,
      called.map(({ call }) => call),
    );
    for (const [needle, place] of this.#texts(turn['says'], [...at, 'says'])) {
      this.#assert(place, { type: 'responseContains', needle });
    }
    this.#turns += 1;
    this.#then(turn['then'], [...at, 'then']);
  }

  /** Adds a problem for each key that is not allowed in this turn. */
  #checkKeys(turn: Json, at: Path, isMisspelt: boolean): void {
    const has = (key: TurnKey) => turn[key] !== undefined;
    const refuse = (key: TurnKey, message: string) =>
      this.problems.push({ path: [...at, key], message, atKey: true });
    if (this.#context.isContract) {
      for (const key of modelTurnKeys.filter(has)) {
        refuse(
          key,
          `A server contract asks no model, so it cannot have ${key}; use call to call the tool.`,
        );
      }
      if (modelTurnKeys.some(has)) return;
    } else if (has('call') && has('calls')) {
      refuse(
        'calls',
        'A turn cannot have both call and calls: call makes the call itself, calls expects it from the model.',
      );
    }
    if (has('fails') && !has('call')) refuse('fails', 'fails needs a call; add call to this turn.');
    if (!has('ask') && !has('call') && !isMisspelt) {
      const message = `This turn is incomplete; add ${this.#context.isContract ? 'call' : 'ask or call'}.`;
      this.problems.push({ path: at, message });
    }
  }

  #ask(prompt: unknown, place: Path): void {
    if (prompt === undefined) return;
    if (typeof prompt === 'string') this.#add(place, { kind: 'prompt', prompt });
    else this.problems.push({ path: place, message: notText(prompt, 'the message of the user') });
  }

  #expect(turn: Json, at: Path): void {
    const { calls } = turn;
    if (Array.isArray(calls) && calls.length === 0) {
      // A later turn already has calls before it, so only the calls of the turn itself are limited.
      const none =
        this.#turns === 0
          ? { type: 'onlyToolsCalled', toolNames: [] }
          : { type: 'toolCallCountUnder', count: 1 };
      this.#assert([...at, 'calls'], none);
    }
    const noCalls = noCallsProblem(calls, [...at, 'calls']);
    if (noCalls !== undefined) this.problems.push(noCalls);
    for (const { call, place } of noCalls ? [] : this.#calls(calls, [...at, 'calls'])) {
      const args = { args: call.arguments };
      this.#assert(place, { type: 'toolCalledWith', ...toolOf(call), args });
    }
    this.#refuseEmptyLists(turn, at);
    for (const [tool, place] of listed(turn['never'], [...at, 'never'])) {
      const read = readTool(tool);
      if ('problem' in read) this.problems.push({ path: place, message: read.problem });
      else this.#assert(place, { type: 'toolNeverCalled', ...toolOf(read.call) });
    }
    for (const [needle, place] of this.#texts(turn['returns'], [...at, 'returns'])) {
      this.#assert(place, { type: 'toolResultContains', needle });
    }
  }

  #refuseEmptyLists(turn: Json, at: Path): void {
    for (const key of ['never', 'returns', 'says'] as const) {
      if (!Array.isArray(turn[key]) || turn[key].length > 0) continue;
      const message = `An empty list checks nothing; remove ${key}.`;
      this.problems.push({ path: [...at, key], message, atKey: true });
    }
  }

  #fails({ fails }: Json, at: Path, called: readonly WrittenCall[]): void {
    const place = [...at, 'fails'];
    const [call, another] = called;
    if (fails === undefined || call === undefined) return;
    const isText = typeof fails === 'string' && fails !== '';
    if (another !== undefined) {
      const message =
        'fails allows only one call in its turn; use then to give every call its own turn.';
      this.problems.push({ path: place, message, atKey: true });
    } else if (fails !== true && !isText) {
      const message = 'fails must be true, or a text that the error contains.';
      this.problems.push({ path: place, message });
    } else {
      const contained = isText && { messageContains: fails };
      this.#assert(place, { type: 'toolCallFails', ...toolOf(call), ...contained });
    }
  }

  #then(turns: unknown, at: Path): void {
    if (turns === undefined) return;
    if (!Array.isArray(turns) || turns.length === 0) {
      const message = 'then must be a list of turns; begin every turn with a dash, as in - ask: ….';
      this.problems.push({ path: at, message });
      return;
    }
    for (const [index, turn] of turns.entries()) {
      const place = [...at, index];
      if (isRecord(turn)) this.#thenTurn(turn, place);
      else {
        const message = 'A turn must be a map that begins with ask or call, as in - ask: ….';
        this.problems.push({ path: place, message });
      }
    }
  }

  #thenTurn(turn: Json, place: Path): void {
    const free = freeTurnKeys(turn);
    const unknown = Object.keys(turn).filter((key) => !isTurnKey(key));
    this.addTurn(
      turn,
      place,
      unknown.map((key) => unknownTurnKey([...place, key], free)),
    );
  }

  #calls(written: unknown, at: Path): { call: WrittenCall; place: Path }[] {
    return listed(written, at).flatMap(([one, place]) => {
      const read = readCall(one, this.#context.readArguments);
      if ('call' in read) return [{ call: read.call, place }];
      this.problems.push({ path: place, message: read.problem });
      return [];
    });
  }

  #texts(written: unknown, at: Path): [string, Path][] {
    return listed(written, at).flatMap(([one, place]) => {
      if (typeof one === 'string' && one !== '') return [[one, place] as [string, Path]];
      const message = notText(one, `the text that ${at.at(-1)} looks for`);
      this.problems.push({ path: place, message });
      return [];
    });
  }

  #assert(place: Path, assertion: Json): void {
    this.#add(place, { kind: 'assert', assertion });
  }

  #add(place: Path, step: Json): void {
    this.steps.push(step);
    this.places.push(place);
  }
}

/** Returns a problem for a value by which an author may mean "no call". */
function noCallsProblem(calls: unknown, path: Path): ValueProblem | undefined {
  if (calls === null) {
    return { path, message: 'This is empty; name a tool, or write [] for no call at all.' };
  }
  const isNone = calls === false || calls === 'none' || calls === 'nothing';
  return isNone ? { path, message: 'Write [] for no call at all.' } : undefined;
}

function toolCallStep(call: WrittenCall): Json {
  const { arguments: given, ...tool } = { ...toolOf(call), arguments: call.arguments };
  return { kind: 'toolCall', ...tool, arguments: given };
}

function toolOf({ tool, server }: WrittenCall) {
  return { toolName: tool, ...(server !== undefined && { serverName: server }) };
}

function listed(written: unknown, at: Path): [unknown, Path][] {
  if (written === undefined) return [];
  return Array.isArray(written)
    ? written.map((one, index) => [one, [...at, index]])
    : [[written, at]];
}

function notText(value: unknown, role: string): string {
  if (value === null || value === '') return `This is empty; write ${role}.`;
  return typeof value === 'number' || typeof value === 'boolean'
    ? `This must be text; put it in quotes: "${value}".`
    : `This must be text: ${role}.`;
}
