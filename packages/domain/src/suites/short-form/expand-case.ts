/**
 * Converts a case from the short form of suite files (`ask`, `call`, `calls` and so on) to its
 * steps, in the order in which they are played. Every step keeps the place of the words it came
 * from, so that findings name what a person wrote.
 */
import { unknownKey, type ValueProblem } from '../../kernel/check-value.ts';
import { isRecord, type Json } from '../../kernel/json.ts';
import { likelyMeant } from '../../kernel/likely-meant.ts';
import { type ReadArguments, readCall, readTool, type WrittenCall } from './read-call.ts';
import { isTurnKey, modelTurnKeys, type TurnKey, turnKeys } from './turn-keys.ts';

type Path = readonly (string | number)[];

export interface ExpandContext {
  readonly readArguments: ReadArguments;
  readonly isContract: boolean;
  /** The keys of a case in the long form. */
  readonly caseKeys: readonly string[];
}

export interface ExpandedCase {
  readonly case: Json;
  /** The place of each step in the case as written. */
  readonly places: readonly Path[];
  readonly problems: readonly ValueProblem[];
}

/** Returns undefined for a case in the long form. */
export function expandCase(written: Json, context: ExpandContext): ExpandedCase | undefined {
  const keys = Object.keys(written).filter(isTurnKey);
  const misspelt = misspeltKeys(written, keys, context.caseKeys);
  const rest = Object.fromEntries(
    Object.entries(written).filter(
      ([key]) => !isTurnKey(key) && misspelt.every(({ path }) => path[0] !== key),
    ),
  );
  const [first] = keys;
  if (first !== undefined && 'steps' in written) {
    const message = `A case has either steps or the short keys; move ${first} into steps, or remove steps.`;
    return { case: rest, places: [], problems: [{ path: [first], message, atKey: true }] };
  }
  if (first === undefined && misspelt.length === 0) {
    if ('steps' in written || mayMeanSteps(written)) return undefined;
    const message = 'This case does nothing; add ask or call.';
    return { case: rest, places: [], problems: [{ path: [], message }] };
  }
  const turn = Object.fromEntries(Object.entries(written).filter(([key]) => isTurnKey(key)));
  const expansion = new Expansion(context);
  expansion.addTurn(turn, [], misspelt);
  const { steps, places, problems } = expansion;
  return { case: { ...rest, steps }, places, problems };
}

function misspeltKeys(
  written: Json,
  there: readonly TurnKey[],
  caseKeys: readonly string[],
): ValueProblem[] {
  const unknown = Object.keys(written).filter((key) => !isTurnKey(key) && !caseKeys.includes(key));
  const free = [...freeTurnKeys(written), ...caseKeys].filter((key) => !(key in written));
  return unknown.flatMap((key) => {
    const meant = likelyMeant(key, free);
    const isShort = there.length > 0 || (meant !== undefined && isTurnKey(meant));
    return isShort && !('steps' in written) ? [unknownKey([key], free)] : [];
  });
}

/** Returns the keys that a turn does not have yet, the likelier ones first. */
function freeTurnKeys(turn: Json): TurnKey[] {
  const likely: readonly TurnKey[] = 'ask' in turn ? ['calls', ...turnKeys] : turnKeys;
  return [...new Set(likely)].filter((key) => !(key in turn));
}

function mayMeanSteps(written: Json): boolean {
  return Object.keys(written).some((key) => likelyMeant(key, ['steps']) !== undefined);
}

/** The steps that were made so far, with the places of their words and the problems on the way. */
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

  /** Adds a problem for each key that cannot stand in this turn. */
  #checkKeys(turn: Json, at: Path, isMisspelt: boolean): void {
    const has = (key: TurnKey) => turn[key] !== undefined;
    const refuse = (key: TurnKey, message: string) =>
      this.problems.push({ path: [...at, key], message, atKey: true });
    if (this.#context.isContract) {
      for (const key of modelTurnKeys.filter(has)) {
        refuse(
          key,
          `A server contract asks no model, so it has no ${key}; call the tool with call.`,
        );
      }
      if (modelTurnKeys.some(has)) return;
    } else if (has('call') && has('calls')) {
      refuse(
        'calls',
        'A turn has call or calls: call makes the call itself, calls expects it of the model.',
      );
    }
    if (has('fails') && !has('call'))
      refuse('fails', 'fails is about a call; add call to this turn.');
    if (!has('ask') && !has('call') && !isMisspelt) {
      const message = `This turn begins with nothing; add ${this.#context.isContract ? 'call' : 'ask or call'}.`;
      this.problems.push({ path: at, message });
    }
  }

  #ask(prompt: unknown, place: Path): void {
    if (prompt === undefined) return;
    if (typeof prompt === 'string') this.#add(place, { kind: 'prompt', prompt });
    else this.problems.push({ path: place, message: notText(prompt, 'what a user says') });
  }

  #expect(turn: Json, at: Path): void {
    const { calls } = turn;
    if (Array.isArray(calls) && calls.length === 0) {
      // A later turn has calls before it, so only those of the turn itself are counted there.
      const none =
        this.#turns === 0
          ? { type: 'onlyToolsCalled', toolNames: [] }
          : { type: 'toolCallCountUnder', count: 1 };
      this.#assert([...at, 'calls'], none);
    }
    for (const { call, place } of this.#calls(calls, [...at, 'calls'])) {
      const args = { args: call.arguments };
      this.#assert(place, { type: 'toolCalledWith', ...toolOf(call), args });
    }
    for (const [tool, place] of listed(turn['never'], [...at, 'never'])) {
      const read = readTool(tool);
      if ('problem' in read) this.problems.push({ path: place, message: read.problem });
      else this.#assert(place, { type: 'toolNeverCalled', ...toolOf(read.call) });
    }
    for (const [needle, place] of this.#texts(turn['returns'], [...at, 'returns'])) {
      this.#assert(place, { type: 'toolResultContains', needle });
    }
  }

  #fails({ fails }: Json, at: Path, called: readonly WrittenCall[]): void {
    const place = [...at, 'fails'];
    const [call, another] = called;
    if (fails === undefined || call === undefined) return;
    const isTold = typeof fails === 'string' && fails !== '';
    if (another !== undefined) {
      const message = 'fails is about one call; give every call its own turn, with then.';
      this.problems.push({ path: place, message, atKey: true });
    } else if (fails !== true && !isTold) {
      const message = 'fails is true, or a text that the error contains.';
      this.problems.push({ path: place, message });
    } else {
      const contained = isTold && { messageContains: fails };
      this.#assert(place, { type: 'toolCallFails', ...toolOf(call), ...contained });
    }
  }

  #then(turns: unknown, at: Path): void {
    if (turns === undefined) return;
    if (!Array.isArray(turns) || turns.length === 0) {
      const message = 'then is a list of turns; begin every turn with a dash, as in - ask: ….';
      this.problems.push({ path: at, message });
      return;
    }
    for (const [index, turn] of turns.entries()) {
      const place = [...at, index];
      if (isRecord(turn)) this.#thenTurn(turn, place);
      else {
        const message = 'A turn is a map that begins with ask or call, as in - ask: ….';
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
      unknown.map((key) => unknownKey([...place, key], free)),
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
      const message = notText(one, `what ${at.at(-1)} looks for`);
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

function toolCallStep(call: WrittenCall): Json {
  const { arguments: given, ...tool } = { ...toolOf(call), arguments: call.arguments };
  return { kind: 'toolCall', ...tool, arguments: given };
}

function toolOf({ tool, server }: WrittenCall) {
  return { toolName: tool, ...(server !== undefined && { serverName: server }) };
}

/** Returns the values of a key that takes one value or a list, with their places. */
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
