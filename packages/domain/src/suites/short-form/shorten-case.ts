/**
 * Writes the steps of a case as turns of the short form. A case that the short form cannot express
 * exactly keeps its steps, without the ids, servers and nested arguments that reading fills in
 * again.
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

export function shortenSteps(steps: readonly Json[], context: ShortenContext): Json {
  const turns = turnsOf(steps, context);
  const short = turns && nested(turns.map((turn) => withCalls(turn, (call) => call)));
  if (turns === undefined || short === undefined || !isExact(short, steps, context)) {
    return { steps: shortSteps(steps, context) };
  }
  return nested(turns.map((turn) => withCalls(turn, callText)));
}

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

/** Shortens `args: { args: {…} }` to one level. */
export function shortAssertion(assertion: unknown): unknown {
  if (!isRecord(assertion) || assertion['type'] !== 'toolCalledWith') return assertion;
  const { args, ...rest } = assertion;
  if (!isRecord(args) || !isRecord(args['args'])) return assertion;
  const { args: given, argumentMatching } = args;
  return { ...rest, arguments: given, ...(argumentMatching !== undefined && { argumentMatching }) };
}

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

/** Replaces a list of one value by the value, and writes calls with `write`. */
function withCalls(turn: Turn, write: (call: WrittenCall) => unknown): Json {
  const entries = Object.entries(turn).map(([key, values]) => {
    const isCall = key === 'call' || key === 'calls';
    const written = isCall ? values.map((one) => write(one as WrittenCall)) : values;
    return [key, written.length === 1 ? written[0] : written];
  });
  return Object.fromEntries(entries) as Json;
}

/**
 * Returns undefined if a step has no short key. Other differences are found by reading the result
 * again.
 */
function turnsOf(steps: readonly Json[], context: ShortenContext): Turn[] | undefined {
  const turns: Turn[] = [];
  for (const step of steps) {
    const shortened = shortenStep(step, context);
    if (shortened === undefined) return undefined;
    const { key, value } = shortened;
    const turn = turnFor(key, turns);
    if (turn === undefined) return undefined;
    turn[key] = [...(turn[key] ?? []), ...value];
  }
  return turns;
}

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
  // The next key applies only to the last call, so that call gets a separate turn.
  turns.push({ call: last.call?.splice(-1) ?? [] });
  return turns.at(-1);
}

interface ShortenedStep {
  readonly key: keyof Turn;
  readonly value: readonly unknown[];
}

function shortenStep(step: Json, { onlyServer }: ShortenContext): ShortenedStep | undefined {
  if (step['kind'] === 'prompt') return { key: 'ask', value: [step['prompt']] };
  if (step['kind'] === 'toolCall') {
    const { serverName, ...call } = step;
    const named = serverName === onlyServer ? call : step;
    return { key: 'call', value: [callOf(named, step['arguments'])] };
  }
  const { assertion } = step;
  return isRecord(assertion) ? shortenAssertion(assertion) : undefined;
}

function shortenAssertion(assertion: Json): ShortenedStep | undefined {
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
