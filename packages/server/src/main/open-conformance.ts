/**
 * Plays the conformance suite against a server in this process, under the same egress rules as a
 * service for one person. No database is opened and nothing is stored.
 */
import { randomUUID } from 'node:crypto';
import { version } from '@proofmark/contract';
import {
  type ConformanceRevision,
  chooseScenarios,
  conformancePackage,
  type ExpectedFailures,
  type NamedSuite,
  type PlayedScenario,
  planConformance,
  revisionsOf,
  suiteNameOfConformance,
} from '@proofmark/domain';
import { playScenarioTrial } from '../features/evals/work/play-conformance.ts';
import {
  type FoundSuite,
  findInstalledSuite,
  namedSuiteOf,
  scenariosOfSuite,
} from '../outside/conformance/find-suites.ts';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { McpGateway } from '../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../outside/mcp/mcp-target.ts';
import { TraceSecrets } from '../outside/mcp/trace-secrets.ts';
import { defaultRunLimits } from '../platform/spending/run-limits.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import { openEgressCheck } from './own-connection-check.ts';
import type { Settings } from './settings.ts';

export interface ConformanceToPlay {
  readonly url: string;
  /** Undefined: the newest revision that the server speaks and the suite can test. */
  readonly spec: ConformanceRevision | 'all' | undefined;
  readonly scenarios: readonly string[] | undefined;
  /** Undefined without a baseline. */
  readonly expected: ExpectedFailures | undefined;
  readonly signal: AbortSignal;
  readonly tell: (played: PlayedScenario) => void;
  readonly begin: (terms: ConformanceTerms) => void;
}

export interface ConformanceTerms {
  readonly suite: NamedSuite;
  readonly spec: ConformanceRevision;
  readonly note: string | null;
}

export interface PlayedConformance extends ConformanceTerms {
  readonly played: readonly PlayedScenario[];
}

/** Why nothing was played. `isUsage`: the caller asked for something that does not exist. */
export interface NotPlayed {
  readonly problem: string;
  readonly isUsage: boolean;
}

export async function playConformance(
  settings: Settings,
  wanted: ConformanceToPlay,
): Promise<readonly PlayedConformance[] | NotPlayed> {
  const chosen = await findInstalledSuite(settings.conformanceFolder);
  if ('missing' in chosen) return { problem: chosen.missing, isUsage: false };
  const { suite, note } = chosen;
  const egress = egressPolicy(settings, await bindAddress(settings.host, true), []);
  const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
  const egressCheck = await openEgressCheck(egress);
  try {
    const target = targetOf(wanted.url);
    const specs = await specsOf(mcp, target, suite, wanted);
    if ('problem' in specs) {
      return { ...specs, problem: note === null ? specs.problem : `${specs.problem} ${note}` };
    }
    const all: PlayedConformance[] = [];
    for (const spec of specs) {
      const terms = { suite: namedSuiteOf(suite), spec, note };
      const verifyEgress = () => egressCheck.works();
      const played = await playRevision(suite, terms, target, wanted, { mcp, verifyEgress });
      if ('problem' in played) return played;
      all.push({ ...terms, played });
    }
    return all;
  } finally {
    await egressCheck.close();
    await mcp.close();
  }
}

function targetOf(url: string): McpTarget {
  const address = { kind: 'http', url, headers: {} } as const;
  return { organizationId: '', serverId: url, address, identity: randomUUID() };
}

async function specsOf(
  mcp: McpGateway,
  target: McpTarget,
  suite: FoundSuite,
  { spec, signal }: ConformanceToPlay,
): Promise<readonly ConformanceRevision[] | NotPlayed> {
  const testable = revisionsOf(suite);
  if (spec !== undefined && spec !== 'all') {
    if (testable.includes(spec)) return [spec];
    const problem = `Version ${suite.version} of ${conformancePackage} cannot test revision ${spec}.`;
    return { problem, isUsage: false };
  }
  const spoken: ConformanceRevision[] = [];
  for (const revision of testable.toReversed()) {
    const answer = await isSpoken(mcp, target, revision, signal);
    if (typeof answer === 'object') return answer;
    if (answer) spoken.unshift(revision);
    if (answer && spec === undefined) break;
  }
  if (spoken.length > 0) return spoken;
  const problem = `The server speaks no revision that the suite can test: ${testable.join(', ')}.`;
  return { problem, isUsage: false };
}

async function isSpoken(
  mcp: McpGateway,
  target: McpTarget,
  protocolVersion: string,
  signal: AbortSignal,
): Promise<boolean | NotPlayed> {
  try {
    const asked = { ...target, protocolVersion, identity: randomUUID() };
    await mcp.use(asked, async () => undefined, { signal });
    return true;
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    const isOther = error.details['reason'] === 'PROTOCOL_VERSION';
    return isOther ? false : { problem: error.message, isUsage: false };
  }
}

async function playRevision(
  suite: FoundSuite,
  terms: ConformanceTerms,
  target: McpTarget,
  { url, scenarios: named, expected, signal, tell, begin }: ConformanceToPlay,
  parts: { readonly mcp: McpGateway; verifyEgress(): Promise<boolean> },
): Promise<readonly PlayedScenario[] | NotPlayed> {
  const listed = chooseScenarios(await scenariosOfSuite(suite, terms.spec), named, '--scenario');
  if ('refusal' in listed) return { problem: listed.refusal.message, isUsage: true };
  const plan = planConformance({
    ...terms,
    hasBaseline: expected !== undefined,
    expected: expected ?? new Map(),
    evalSuite: { id: '', name: suiteNameOfConformance(terms.spec, url) },
    server: { id: url, name: url, url },
    scenarios: listed.scenarios,
    limits: defaultRunLimits,
    caseIdOf: (scenario) => scenario,
  });
  begin(terms);
  const run = {
    plan,
    secrets: new TraceSecrets(),
    conformance: { ...parts, folder: suite.folder, target: async () => target },
  };
  const all: PlayedScenario[] = [];
  for (const caseIndex of plan.cases.keys()) {
    const { trace } = await playScenarioTrial(run, { caseIndex }, signal);
    const played = trace['conformance'] as PlayedScenario;
    tell(played);
    all.push(played);
  }
  return all;
}
