/**
 * The result of each step of the case in a trial. The stored plan contains all steps in order, and
 * the trace contains their results. If the plan is not readable, the steps in the trace are used.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export const stepKinds = [
  'prompt',
  'toolCall',
  'getPrompt',
  'readResource',
  'interact',
  'assert',
] as const;
export const stepStatuses = ['ok', 'fail', 'skipped', 'pending'] as const;

export interface StepOfTrial {
  readonly stepId: string;
  readonly stepIndex: number;
  readonly kind: (typeof stepKinds)[number];
  readonly status: (typeof stepStatuses)[number];
  readonly reason: string | null;
  readonly evidence: StepEvidence;
}

export interface StepEvidence {
  readonly promptIndex?: number;
  readonly spanIds?: string[];
  /** The indexes of the step's first and last message, both inclusive. */
  readonly messageStartIndex?: number;
  readonly messageEndIndex?: number;
  readonly note?: string;
}

export interface TrialWithSteps {
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
  /** The stored trace, not validated; null if none was recorded. */
  readonly trace: Json | null;
}

type AuthoredStep = Pick<StepOfTrial, 'stepId' | 'kind'>;

export function stepsOfTrial(planned: unknown, trial: TrialWithSteps): StepOfTrial[] {
  const records = recordsOf(trial.trace?.['steps']);
  const authored = authoredSteps(planned, 'id') ?? authoredSteps(records, 'stepId') ?? [];
  const spans = spansOf(trial.trace);
  return authored.map((step, stepIndex) => {
    const record = records.find(({ stepId }) => stepId === step.stepId);
    return {
      ...step,
      stepIndex,
      ...(record === undefined ? outcomeWithoutRecord(trial) : outcomeOf(record)),
      evidence: record === undefined ? {} : evidenceOf(record, spans),
    };
  });
}

function authoredSteps(steps: unknown, idField: string): AuthoredStep[] | undefined {
  if (!Array.isArray(steps)) return undefined;
  return recordsOf(steps).flatMap((step) => {
    const kind = stepKinds.find((known) => known === step['kind']);
    const stepId = step[idField];
    return kind === undefined || typeof stepId !== 'string' ? [] : [{ stepId, kind }];
  });
}

function outcomeOf(record: Json): Pick<StepOfTrial, 'status' | 'reason'> {
  const status = stepStatuses.find((known) => known === record['status']) ?? 'pending';
  return { status, reason: textOf(record['reason']) ?? null };
}

/**
 * Returns the status of a step that the trace does not contain. A running trial may still reach the
 * step; an ended trial skipped it.
 */
function outcomeWithoutRecord({
  status,
  result,
  error,
  trace,
}: TrialWithSteps): Pick<StepOfTrial, 'status' | 'reason'> {
  if (status === 'pending' || status === 'running') return { status: 'pending', reason: null };
  // The trace was deleted later. The trial passed, so every step was played.
  if (trace === null && result === 'passed') return { status: 'ok', reason: null };
  return {
    status: 'skipped',
    reason: error ?? 'The trial ended, and nothing was recorded about this step.',
  };
}

interface Spans {
  readonly ofSteps: ReadonlyMap<string, Json>;
  readonly below: ReadonlyMap<string, readonly string[]>;
}

function spansOf(trace: Json | null): Spans {
  const ofSteps = new Map<string, Json>();
  const below = new Map<string, string[]>();
  for (const span of recordsOf(trace?.['spans'])) {
    const id = textOf(span['id']);
    if (id === undefined) continue;
    const stepId = textOf(span['authoredStepId']);
    const parentId = textOf(span['parentId']);
    if (stepId !== undefined && !ofSteps.has(stepId)) ofSteps.set(stepId, span);
    if (parentId === undefined) continue;
    const siblings = below.get(parentId);
    if (siblings === undefined) below.set(parentId, [id]);
    else siblings.push(id);
  }
  return { ofSteps, below };
}

function evidenceOf(record: Json, { ofSteps, below }: Spans): StepEvidence {
  const span = ofSteps.get(String(record['stepId']));
  const spanIds = span === undefined ? [] : withThoseBelow(String(span['id']), below);
  return {
    ...numberAt(record, 'promptIndex'),
    ...(spanIds.length > 0 && { spanIds }),
    ...(span && numberAt(span, 'messageStartIndex')),
    ...(span && numberAt(span, 'messageEndIndex')),
    ...(typeof record['note'] === 'string' && { note: record['note'] }),
  };
}

/**
 * Returns the ids of a span and all its descendants, each once, even if the recorded spans form a
 * cycle.
 */
function withThoseBelow(first: string, below: Spans['below']): string[] {
  const found = new Set([first]);
  for (const id of found) for (const inner of below.get(id) ?? []) found.add(inner);
  return [...found];
}

function numberAt<Name extends string>(from: Json, name: Name): { readonly [N in Name]?: number } {
  const value = from[name];
  return (Number.isSafeInteger(value) ? { [name]: value } : {}) as { [N in Name]?: number };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function recordsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
