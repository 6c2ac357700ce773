/**
 * Launches a run of the official conformance suite against a saved server. The run belongs to a
 * suite that is created for the server and the revision when they are tested first.
 */
import {
  type ConformanceRevision,
  caseKeyOfScenario,
  chooseScenarios,
  conformancePackage,
  type ExpectedFailures,
  invalid,
  notFound,
  planConformance,
  type Refusal,
  type RunPlan,
  readExpectedFailures,
  revisionsOf,
  type SavedServer,
  type ScenarioToPlay,
  suiteNameOfConformance,
  termsOfConformance,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import {
  type FoundSuite,
  findInstalledSuite,
  namedSuiteOf,
  scenariosOfSuite,
} from '../../../../outside/conformance/find-suites.ts';
import { McpFailure } from '../../../../outside/mcp/mcp-failure.ts';
import type { McpTarget } from '../../../../outside/mcp/mcp-target.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, type ActionInput, refuse } from '../../../../platform/operations/action.ts';
import { findServerToCall, orRefusal, targetOf } from '../../../servers/index.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import { findConformanceSuite, insertSuite } from '../../store/eval-suites.ts';
import { lockLaunches } from '../../store/launched-runs.ts';
import { resolveCases } from '../../store/reported/reported-cases.ts';
import { launchDependenciesOf } from '../runs/launch-dependencies-of.ts';
import { writeLaunch } from '../runs/write-launch.ts';

export const runServerConformance: Action<'runServerConformance', EvalsParts> = async (
  context,
  { params, body },
) => {
  const { database, project } = context;
  const found =
    (await context.tenant((sql) =>
      findServerToCall(sql, database.vault, project.id, params.serverId),
    )) ?? refuse(notFound);
  const { url } = found.server;
  if (url === null) return refuse(hasNoAddress);
  const expected = expectedOf(body.expectedFailures);
  const chosen = await findInstalledSuite(context.conformanceFolder);
  if ('missing' in chosen) return refuse(notInstalled(chosen.missing));
  const { suite, note } = chosen;
  const target = await targetOf(context, found);
  const spec = await specOf(context, target, chosen, body);
  const listed = chooseScenarios(
    await scenariosOfSuite(suite, spec),
    body.scenarios,
    'body.scenarios',
  );
  if ('refusal' in listed) return refuse(listed.refusal);
  const terms = { suite: namedSuiteOf(suite), spec, note };
  const { runId, suiteId } = await context.tenant((sql) =>
    launch(sql, context, { ...found.server, url }, listed.scenarios, {
      ...terms,
      hasBaseline: body.expectedFailures !== undefined,
      expected,
    }),
  );
  return { runId, suiteId, ...terms };
};

const hasNoAddress: Refusal = {
  code: 'FEATURE_NOT_SUPPORTED',
  message: 'The conformance suite tests servers over HTTP, and this server has no address.',
  details: { reason: 'STDIO_SERVER' },
};

function notInstalled(message: string): Refusal {
  const details = { reason: 'CONFORMANCE_NOT_INSTALLED' };
  return { code: 'FEATURE_NOT_SUPPORTED', message, details };
}

function expectedOf(entries: readonly string[] = []): ExpectedFailures {
  const read = readExpectedFailures(entries);
  return 'problem' in read ? refuse(invalid('body.expectedFailures', read.problem)) : read.expected;
}

async function specOf(
  context: EvalsProject,
  target: McpTarget,
  { suite, note }: { readonly suite: FoundSuite; readonly note: string | null },
  { spec, ifSpoken }: Pick<ActionInput<'runServerConformance'>['body'], 'spec' | 'ifSpoken'>,
): Promise<ConformanceRevision> {
  const testable = revisionsOf(suite).reverse();
  if (spec !== undefined) {
    if (!testable.includes(spec)) {
      const message = `Version ${suite.version} of ${conformancePackage} cannot test revision ${spec}.`;
      return refuse(otherRevision(note === null ? message : `${message} ${note}`));
    }
    if (ifSpoken !== true || (await isSpoken(context, target, spec))) return spec;
    return refuse(otherRevision(`The server does not speak revision ${spec}.`));
  }
  for (const revision of testable) {
    if (await isSpoken(context, target, revision)) return revision;
  }
  return refuse(
    otherRevision(
      `The server speaks no revision that version ${suite.version} of the suite can test: ${testable.join(', ')}.`,
    ),
  );
}

function otherRevision(message: string): Refusal {
  const details = { reason: 'CONFORMANCE_REVISION' };
  return { code: 'FEATURE_NOT_SUPPORTED', message, details };
}

async function isSpoken(
  { mcp, signal }: EvalsProject,
  target: McpTarget,
  protocolVersion: string,
): Promise<boolean> {
  const identity = `${target.identity} at ${protocolVersion}`;
  const connecting = mcp.use({ ...target, protocolVersion, identity }, async () => true, {
    signal,
  });
  return orRefusal(
    connecting.catch((error: unknown) => {
      const isOther = error instanceof McpFailure && error.details['reason'] === 'PROTOCOL_VERSION';
      if (isOther) return false;
      throw error;
    }),
    signal,
  );
}

async function launch(
  sql: Sql,
  context: EvalsProject,
  server: SavedServer & { readonly url: string },
  scenarios: readonly ScenarioToPlay[],
  terms: Pick<
    Parameters<typeof planConformance>[0],
    'suite' | 'spec' | 'note' | 'hasBaseline' | 'expected'
  >,
): Promise<{ readonly runId: string; readonly suiteId: string }> {
  await lockLaunches(sql, context.project.organizationId);
  const evalSuite = await suiteOf(sql, context, server, terms.spec);
  const caseIds = await caseIdsOf(sql, context, evalSuite.id, scenarios);
  const { maxModelSteps, trialTimeoutMs } = context.runLimits;
  const plan = planConformance({
    ...terms,
    evalSuite,
    server,
    scenarios,
    limits: { maxModelSteps, trialTimeoutMs },
    caseIdOf: (scenario) => caseIds.get(caseKeyOfScenario(scenario)) ?? '',
  });
  // One scenario after another: many of them watch what one session of the server does.
  const limits = { ...context.runLimits, trialsAtOncePerRun: 1 };
  const runId = await writeLaunch(
    sql,
    { ...launchDependenciesOf(context), limits },
    preparedOf(plan, evalSuite.id),
    { notes: null, runGroupId: null, idempotencyKey: null, requestHash: null },
  );
  return { runId, suiteId: evalSuite.id };
}

function preparedOf(plan: RunPlan, suiteId: string): Parameters<typeof writeLaunch>[2] {
  return {
    plan,
    terms: termsOfConformance(),
    trialCount: plan.cases.length,
    gone: [],
    suiteId,
    context: { servers: plan.servers, environment: null, played: undefined, skills: [] },
    keys: {},
    providers: [],
    assertsNothing: { caseVariants: 0, titles: [] },
    samples: [],
    unpriced: [],
  };
}

async function suiteOf(
  sql: Sql,
  { project, newId, caller }: EvalsProject,
  server: SavedServer,
  spec: string,
): Promise<RunPlan['suite']> {
  const name = suiteNameOfConformance(spec, server.name);
  const id = await findConformanceSuite(sql, project.id, name, server.id);
  if (id !== undefined) return { id, name };
  const made = { id: newId('evalSuite'), name };
  await insertSuite(sql, {
    ...made,
    organizationId: project.organizationId,
    projectId: project.id,
    description: `Scenarios of ${conformancePackage} at revision ${spec}.`,
    definition: { mode: 'serverContract', settings: {} },
    serverIds: [server.id],
    createdBy: caller.account.id,
  });
  return made;
}

/** The cases have no definition: only the suite can play them. */
function caseIdsOf(
  sql: Sql,
  { project, newId }: EvalsProject,
  suiteId: string,
  scenarios: readonly ScenarioToPlay[],
): Promise<Map<string, string>> {
  const { organizationId } = project;
  const wanted = scenarios.map(({ scenario }) => {
    const caseKey = caseKeyOfScenario(scenario);
    const contentHash = sha256Hex(caseKey);
    const one = { caseKey, contentHash, declaredId: scenario, title: scenario, isNegative: false };
    return [caseKey, one] as const;
  });
  const suite = { suiteId, organizationId, newCaseId: () => newId('evalCase') };
  return resolveCases(sql, suite, new Map(wanted));
}
