/**
 * The state of a suite's settings editor, in the format of the API. Saving sends only changed
 * fields; null clears a field.
 */
import { type BodyInputOf, type EvalSuiteDetail, operations } from '@proofmark/contract';
import {
  assertionsAt,
  checkValue,
  isRecord,
  type Json,
  modelIsMissing,
  type ValueProblem,
} from '@proofmark/domain';
import { isSame } from '../../../kit/changes/json-changes.ts';
import { patternProblems, roughAssertion, type WhyNotRun } from './case-draft.ts';

const settingNames = [
  ...['minimumAccuracy', 'minimumIterations', 'checks', 'judge', 'verdictPolicyDefaults'],
  ...['matchOptions', 'toolPolicy', 'allowWrites', 'sessions'],
] as const;

/** Returns the editable fields. `environment.servers` contains server ids. */
export function suiteContent(suite: EvalSuiteDetail): Json {
  const { executionConfig, settings, schedule } = suite;
  const judge = Object.fromEntries(
    Object.entries(settings.judge).filter(([, value]) => value !== null),
  );
  const stated: Json = { ...settings, judge };
  const isStated = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return {
    name: suite.name,
    ...(suite.description !== null && { description: suite.description }),
    environment: { servers: suite.environment.serverIds },
    ...(executionConfig !== null && { executionConfig }),
    settings: Object.fromEntries(
      settingNames.flatMap((name) =>
        // An empty `allowWrites` allows no tool, but an absent one means that there is no policy.
        // So the empty list is kept.
        isStated(stated[name]) || (name === 'allowWrites' && stated[name] !== undefined)
          ? [[name, stated[name]]]
          : [],
      ),
    ),
    schedule: {
      enabled: schedule.enabled,
      ...(schedule.intervalMinutes !== null && { intervalMinutes: schedule.intervalMinutes }),
      ...(schedule.calendar !== null && { calendar: schedule.calendar }),
      ...(schedule.environmentId !== null && { environmentId: schedule.environmentId }),
    },
  };
}

/**
 * `namesModel` is whether the suite must name a model. Server contracts, and suites that only
 * receive reports, need none.
 */
export function suiteProblems(
  value: Json,
  namesModel: boolean,
  whyNotRun: WhyNotRun,
): readonly ValueProblem[] {
  const { schedule, ...suite } = value;
  const named = suite['name'] === undefined ? { ...suite, name: '' } : suite;
  const { model } = Object(suite['executionConfig']) as { model?: unknown };
  const { checks: stated } = Object(suite['settings']) as { checks?: unknown };
  const checks = Array.isArray(stated) ? stated.map(roughAssertion) : [];
  const lacksModel = namesModel && model === undefined;
  return [
    ...(lacksModel ? [{ path: ['executionConfig', 'model'], message: modelIsMissing }] : []),
    ...problemsIn(checkValue(operations.updateEvalSuite.body, named)),
    ...problemsIn(checkValue(operations.updateEvalSuiteSchedule.body, schedule)).map(
      ({ path, ...rest }) => ({ path: ['schedule', ...path], ...rest }),
    ),
    ...patternProblems(assertionsAt(checks, 'settings.checks'), whyNotRun),
  ];
}

function problemsIn(checked: ReturnType<typeof checkValue>): readonly ValueProblem[] {
  return 'problems' in checked ? checked.problems : [];
}

export interface SuiteEdit {
  readonly suite?: BodyInputOf<'updateEvalSuite'>;
  readonly schedule?: BodyInputOf<'updateEvalSuiteSchedule'>;
}

export function suiteEdit(before: Json, after: Json): SuiteEdit {
  const suite = {
    ...changedIn(before, after, ['name', 'environment']),
    ...(!isSame(before['description'], after['description']) && {
      description: after['description'] ?? '',
    }),
    ...partOf('executionConfig', before, after),
    ...settingsEdit(before, after),
  };
  const isScheduled = !isSame(before['schedule'], after['schedule']);
  return {
    ...(Object.keys(suite).length > 0 && { suite: suite as BodyInputOf<'updateEvalSuite'> }),
    ...(isScheduled && { schedule: after['schedule'] as BodyInputOf<'updateEvalSuiteSchedule'> }),
  };
}

/**
 * A changed setting is sent as a whole, except for the judge: the service keeps the judge's fields
 * that are not sent.
 */
function settingsEdit(before: Json, after: Json): Json {
  const { settings } = partOf('settings', before, after);
  if (!isRecord(settings) || !('judge' in settings))
    return settings === undefined ? {} : { settings };
  const judges = [before, after].map((side) => Object(side['settings']) as Json);
  return { settings: { ...settings, ...partOf('judge', judges[0] ?? {}, judges[1] ?? {}) } };
}

/**
 * Returns only the changed fields of the object `name`. The service keeps the fields that are not
 * sent.
 */
function partOf(name: string, before: Json, after: Json): Json {
  const [was, is] = [before[name], after[name]].map((part) => (isRecord(part) ? part : {}));
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  const changed = changedIn(was ?? {}, is ?? {}, names);
  return Object.keys(changed).length === 0 ? {} : { [name]: changed };
}

function changedIn(before: Json, after: Json, names: readonly string[]): Json {
  const changed = names.filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/** Returns an unsaved suite, because the form of a case needs a suite. */
export function unsavedSuite(given: {
  readonly projectId: string;
  readonly name: string;
  readonly mode: EvalSuiteDetail['mode'];
  readonly model: string;
  readonly servers: readonly { readonly id: string; readonly name: string }[];
}): EvalSuiteDetail {
  const { projectId, name, mode, model, servers } = given;
  return {
    id: 'new-suite',
    name,
    description: null,
    projectId,
    mode,
    environment: {
      servers: servers.map((one) => one.name),
      serverIds: servers.map(({ id }) => id),
      computerEnvironment: null,
    },
    executionConfig: mode === 'serverContract' ? null : { model },
    hosts: [],
    environmentIds: [],
    tags: [],
    createdAt: 0,
    updatedAt: 0,
    settings: {
      minimumAccuracy: null,
      minimumIterations: null,
      matchOptions: null,
      checks: [],
      judge: { enabled: false, model: null, autoRun: false, threshold: 0.5 },
    },
    schedule: {
      enabled: false,
      intervalMinutes: null,
      calendar: null,
      environmentId: null,
      nextRunAt: null,
      lastAttempt: null,
    },
  };
}

export function suiteWith(
  suite: EvalSuiteDetail,
  value: Json,
  servers: readonly { readonly id: string; readonly name: string }[],
): EvalSuiteDetail {
  const { name, description, environment, executionConfig, settings } = value;
  const { servers: named } = Object(environment) as { servers?: unknown };
  const chosen = Array.isArray(named) ? servers.filter(({ id }) => named.includes(id)) : [];
  return {
    ...suite,
    name: typeof name === 'string' ? name : suite.name,
    description: typeof description === 'string' ? description : null,
    environment: {
      ...suite.environment,
      servers: chosen.map((one) => one.name),
      serverIds: chosen.map(({ id }) => id),
    },
    executionConfig: (executionConfig ?? null) as EvalSuiteDetail['executionConfig'],
    settings: { ...suite.settings, verdictPolicyDefaults: undefined, ...Object(settings) },
  };
}
