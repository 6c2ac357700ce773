/**
 * Writes the steps of a case as turns of the short form. A case that the short form cannot express
 * exactly keeps its steps; ids, servers and inner arguments that the reader fills in are left out
 * there.
 */
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isRecord, type Json } from '../../kernel/json.ts';
import { completeSteps } from '../complete-suite-file.ts';
import { callText } from './call-text.ts';
import { expandCase } from './expand-case.ts';
import type { WrittenCall } from './read-call.ts';
import { type TurnKey, turnKeys } from './turn-keys.ts';

export interface ShortenContext {
  /** The only server of the target, which calls need not name. */
  readonly onlyServer: string | undefined;
  readonly isContract: boolean;
}

/** Returns the keys to write in place of `steps`. */
export function shortenSteps(steps: readonly Json[], context: ShortenContext): Json {
  const turns = turnsOf(steps, context);
  const short = turns && nested(turns.map((turn) => withCalls(turn, (call) => call)));
  if (turns === undefined || short === undefined || !isExact(short, steps, context)) {
    return { steps: shortSteps(steps, context) };
  }
  return nested(turns.map((turn) => withCalls(turn, callText)));
}

/** Returns the steps without the parts that the reader fills in. */
export function shortSteps(
  steps: readonly Json[],
  { onlyServer }: Pick<ShortenContext, 'onlyServer'>,
): Json[] {
  return steps.map((step, index) => {
    const { id, serverName, assertion, ...rest } = step;
    const isFilled = step['kind'] !== 'assert' && serverName === onlyServer;
    return {
      ...(id !== `step-${index + 1}` && { id }),
      ...(isFilled || serverName === undefined ? {} : { serverName }),
      ...rest,
      ...(assertion !== undefined && { assertion: shortAssertion(assertion) }),
    };
  });
}

/** Writes the arguments of an expected call in one level. */
export function shortAssertion(assertion: unknown): unknown {
  if (!isRecord(assertion) || assertion['type'] !== 'toolCalledWith') return assertion;
  const { args, ...rest } = assertion;
  if (!isRecord(args) || !isRecord(args['args'])) return assertion;
  const { args: given, argumentMatching } = args;
  return { ...rest, arguments: given, ...(argumentMatching !== undefined && { argumentMatching }) };
}

/** Whether reading the turns gives exactly these steps. */
function isExact(short: Json, steps: readonly Json[], context: ShortenContext): boolean {
  const expanded = expandCase(short, {
    ...context,
    caseKeys: [],
    readArguments: () => ({ problem: '' }),
  });
  if (expanded === undefined || expanded.problems.length > 0) return false;
  const read = completeSteps(expanded.case['steps'] as Json[], context);
  return canonicalJson(read) === canonicalJson(steps);
}

type Turn = { [Key in Exclude<TurnKey, 'then'>]?: unknown[] };

function nested([first, ...others]: readonly Json[]): Json {
  // biome-ignore lint/suspicious/noThenProperty: a key of the file; its value is a list.
  return others.length === 0 ? { ...first } : { ...first, then: others };
}

/** Returns a turn with a single value in place of a list of one, and its calls as `write` says. */
function withCalls(turn: Turn, write: (call: WrittenCall) => unknown): Json {
  const entries = Object.entries(turn).map(([key, values]) => {
    const isCall = key === 'call' || key === 'calls';
    const written = isCall ? values.map((one) => write(one as WrittenCall)) : values;
    return [key, written.length === 1 ? written[0] : written];
  });
  return Object.fromEntries(entries) as Json;
}

/** Returns undefined where a step has no key of its own; other differences are found by reading. */
function turnsOf(steps: readonly Json[], context: ShortenContext): Turn[] | undefined {
  const turns: Turn[] = [];
  for (const step of steps) {
    const said = sayStep(step, context);
    if (said === undefined) return undefined;
    const { key, value } = said;
    const turn = turnFor(key, turns);
    if (turn === undefined) return undefined;
    turn[key] = [...(turn[key] ?? []), ...value];
  }
  return turns;
}

/** Returns the turn that the key belongs to: the last one, or a new one. */
function turnFor(key: keyof Turn, turns: Turn[]): Turn | undefined {
  const last = turns.at(-1);
  const lastKey = Object.keys(last ?? {}).at(-1) as TurnKey | undefined;
  if (key === 'ask' || (key === 'call' && lastKey !== 'call')) {
    turns.push({});
    return turns.at(-1);
  }
  if (last === undefined || lastKey === undefined) return undefined;
  if (turnKeys.indexOf(lastKey) > turnKeys.indexOf(key)) return undefined;
  if (lastKey !== 'call' || key === 'call' || last.call?.length === 1) return last;
  // What follows several calls is about the last of them, so that one gets a turn of its own.
  turns.push({ call: last.call?.splice(-1) ?? [] });
  return turns.at(-1);
}

interface SaidStep {
  readonly key: keyof Turn;
  readonly value: readonly unknown[];
}

function sayStep(step: Json, { onlyServer }: ShortenContext): SaidStep | undefined {
  if (step['kind'] === 'prompt') return { key: 'ask', value: [step['prompt']] };
  if (step['kind'] === 'toolCall') {
    const { serverName, ...call } = step;
    const named = serverName === onlyServer ? call : step;
    return { key: 'call', value: [callOf(named, step['arguments'])] };
  }
  const { assertion } = step;
  return isRecord(assertion) ? sayAssertion(assertion) : undefined;
}

function sayAssertion(assertion: Json): SaidStep | undefined {
  const { needle, toolName, messageContains = true } = assertion;
  switch (assertion['type']) {
    case 'toolCalledWith':
      return { key: 'calls', value: [callOf(assertion, Object(assertion['args']).args)] };
    case 'onlyToolsCalled':
    case 'toolCallCountUnder':
      return { key: 'calls', value: [] };
    case 'toolNeverCalled':
      return { key: 'never', value: [toolName] };
    case 'toolResultContains':
      return { key: 'returns', value: [needle] };
    case 'toolCallFails':
      return { key: 'fails', value: [messageContains] };
    case 'responseContains':
      return { key: 'says', value: [needle] };
    default:
      return undefined;
  }
}

function callOf({ toolName, serverName }: Json, given: unknown): object {
  return {
    ...(serverName !== undefined && { server: serverName }),
    tool: toolName,
    arguments: given ?? {},
  };
}
