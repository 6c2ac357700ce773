/**
 * Fills in settings that a suite file may leave out, before the file is checked. Later code
 * therefore reads only the complete form.
 *
 * - `mode` is agentWorkflow and `reportingMode` is standard. Under `defaults`, every case is played
 *   once and must pass, unless `trials` states a plan; `validity` is {}.
 * - A step without an id gets an id from its position.
 * - `arguments: {…}` of `toolCalledWith` is short for `args: { args: {…} }`.
 * - The import supplies missing servers and a missing model. If there is one server, steps need not
 *   name it.
 *
 * Parts in any other form are not changed; the check reports them.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export interface SuiteFileHelp {
  /** The servers to use if the file has no target. */
  readonly servers?: readonly string[];
  /** The model to use if `defaults` in the file has none. */
  readonly model?: string;
}

export function completeSuiteFile(file: unknown, help: SuiteFileHelp = {}): unknown {
  if (!isRecord(file)) return file;
  const { servers = [] } = help;
  const named = servers.length > 0 && { target: { servers: servers.map((name) => ({ name })) } };
  const whole: Json = { mode: 'agentWorkflow', reportingMode: 'standard', ...named, ...file };
  const counted = file['schemaVersion'] === '2' ? 'iterations' : 'repetitions';
  const asksModel = whole['mode'] !== 'serverContract';
  const defaults = {
    ...(asksModel && help.model !== undefined && { model: help.model }),
    ...(isPlanned(whole['defaults']) ? {} : { [counted]: 1, passThreshold: 1 }),
    validity: {},
  };
  const completion = { onlyServer: onlyServerOf(whole['target']) };
  return {
    ...whole,
    defaults: filled(whole['defaults'], defaults, completion),
    ...(Array.isArray(file['cases']) && {
      cases: file['cases'].map((one) => completeCase(one, completion)),
    }),
  };
}

/** A trial plan replaces the number of trials and the passing score. */
function isPlanned(defaults: unknown): boolean {
  return isRecord(defaults) && 'trials' in defaults;
}

interface Completion {
  readonly onlyServer: string | undefined;
}

function filled(stated: unknown, defaults: Json, completion: Completion): unknown {
  if (stated === undefined) return defaults;
  return isRecord(stated) ? { ...defaults, ...completeAround(stated, completion) } : stated;
}

function completeCase(one: unknown, completion: Completion): unknown {
  if (!isRecord(one)) return one;
  const { assertions } = one;
  return {
    ...completeAround(one, completion),
    ...(Array.isArray(one['steps']) && { steps: completeSteps(one['steps'], completion) }),
    ...(Array.isArray(assertions) && { assertions: assertions.map(completeAssertion) }),
  };
}

function completeAround(stated: Json, completion: Completion): Json {
  const lists = (['before', 'after'] as const).flatMap((name) => {
    const steps = stated[name];
    return Array.isArray(steps) ? [[name, completeSteps(steps, completion)] as const] : [];
  });
  return lists.length === 0 ? stated : { ...stated, ...Object.fromEntries(lists) };
}

/** Gives every step an id, and adds the only server to steps that name none. */
export function completeSteps(steps: readonly unknown[], { onlyServer }: Completion): unknown[] {
  const taken = new Set(steps.map((step) => (isRecord(step) ? step['id'] : undefined)));
  return steps.map((step, index) => {
    if (!isRecord(step)) return step;
    const asksServer = serverKinds.includes(step['kind'] as string);
    const hasServer = step['serverName'] !== undefined || onlyServer === undefined;
    return {
      ...('id' in step ? {} : { id: freeId(index + 1, taken) }),
      ...(asksServer && !hasServer && { serverName: onlyServer }),
      ...step,
      ...('assertion' in step && { assertion: completeAssertion(step['assertion']) }),
    };
  });
}

const serverKinds: readonly string[] = ['toolCall', 'getPrompt', 'readResource'];

/**
 * Makes an id from the step's position, so that editing one step does not change the ids of others.
 */
function freeId(place: number, taken: ReadonlySet<unknown>): string {
  let id = `step-${place}`;
  while (taken.has(id)) id += 'a';
  return id;
}

function completeAssertion(assertion: unknown): unknown {
  if (!isRecord(assertion) || assertion['type'] !== 'toolCalledWith') return assertion;
  const { arguments: short, argumentMatching, ...rest } = assertion;
  if (short === undefined || 'args' in rest) return assertion;
  const matching = argumentMatching !== undefined && { argumentMatching };
  return { ...rest, args: { args: short, ...matching } };
}

/** Returns the name of the target's only server, which steps may leave out. */
export function onlyServerOf(target: unknown): string | undefined {
  const servers = isRecord(target) ? target['servers'] : undefined;
  const [first, another] = Array.isArray(servers) ? (servers as unknown[]) : [];
  const name = isRecord(first) && another === undefined ? first['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
