/**
 * Tests suites against servers in this process, without a database. Settings, network rules and
 * limits are those of a service for one person. Nothing is stored.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type BodyOf, type OutputOf, version } from '@proofmark/contract';
import { InMemoryProject } from '../features/evals/in-memory/in-memory-project.ts';
import {
  type LiveDependencies,
  nobodyScores,
  openTrialsHere,
  playerOfServers,
} from '../features/evals/in-memory/play-live.ts';
import { presentServer, refuseBlockedUrls, serverNameTaken } from '../features/servers/index.ts';
import { checkUrl } from '../outside/egress/address-policy.ts';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import { linearPatterns } from '../outside/patterns/linear-patterns.ts';
import { makeNewId } from '../platform/operations/make-new-id.ts';
import { bindAddress } from './bind-address.ts';
import { createModels } from './create-models.ts';
import { egressPolicy } from './egress-policy.ts';
import type { ServerToStart } from './folder-servers.ts';
import { launchLimits } from './launch-limits.ts';
import { openEgressCheck } from './own-connection-check.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { stopInReverse } from './stop-in-reverse.ts';
import { closeWidgets, widgetsOfSettings } from './widgets-of-settings.ts';

export interface Testing {
  readonly project: InMemoryProject;
  /**
   * Registers a program on this machine as a stdio server until the test ends, and returns its
   * server id.
   */
  saveProgram(server: ServerToStart): string;
  mutate(
    suiteId: string,
    body: BodyOf<'createEvalSuiteMutation'>,
    course: CourseOfMutation,
  ): Promise<Mutation>;
  stop(): Promise<void>;
}

type Mutation = OutputOf<'getEvalSuiteMutation'>;

export interface CourseOfMutation {
  readonly signal: AbortSignal;
  /** Called before the first trial is played, with the maximum cost. */
  readonly onEstimate: (estimate: Mutation['estimate']) => void;
  readonly onState: (state: Mutation) => void;
}

/**
 * Returns why a test needs a database: the settings limit daily use, or assign a server to a
 * project. Returns undefined if it needs none.
 */
export function whySettingsNeedDatabase(settings: Settings): string | undefined {
  const { creditsPerDay, storedBytes, trialsPerDay, uploadBytesPerDay, stdioServers } = settings;
  const quotas = [creditsPerDay, storedBytes, trialsPerDay, uploadBytesPerDay];
  if (quotas.some((quota) => quota !== null)) return 'The settings set daily limits.';
  const isPlaced = stdioServers.some(({ projectId }) => projectId !== undefined);
  return isPlaced ? 'The settings name a project.' : undefined;
}

export async function openTesting(settings: Settings): Promise<Testing> {
  const bind = await bindAddress(settings.host, settings.dangerouslyBindAll);
  const egress = egressPolicy(settings, bind, []);
  const stops: (() => Promise<void>)[] = [];
  const stop = () => stopInReverse(stops);
  try {
    const widgets = widgetsOfSettings(settings, egress);
    stops.push(() => closeWidgets(widgets));
    const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
    stops.push(() => mcp.close());
    const models = createModels(settings, egress);
    stops.push(() => models.close());
    const egressCheck = await openEgressCheck(egress);
    stops.push(() => egressCheck.close());
    const limits = launchLimits(settings);
    const key = randomBytes(32);
    const ways: LiveDependencies = {
      mcp,
      models,
      patterns: linearPatterns,
      widgets,
      callsPerServer: settings.callsPerServer,
      verifyEgress: () => egressCheck.works(),
      sign: (purpose, text) =>
        createHmac('sha256', key)
          .update(JSON.stringify([purpose, text]))
          .digest('base64url'),
    };
    const trialsAtOncePerRun = Math.min(settings.trialsPerRun, settings.trialsAtOnce);
    const project = new InMemoryProject(
      {
        models,
        patterns: linearPatterns,
        widgets,
        limits: { ...limits, trialsAtOncePerRun },
        live: (run) => playerOfServers(run, ways),
      },
      {
        presentServer,
        refuseBlockedUrls,
        serverNameTaken,
        mayReach: (url) => checkUrl(url, egress).refusal === undefined,
      },
    );
    stops.push(() => project.close());
    const saveProgram = ({ name, ...start }: ServerToStart) => {
      const id = project.servers.saveProgram(name, start);
      if (id !== undefined) return id;
      throw new BadSetting(
        `A saved server is already named ${name}; choose another name with --server-name.`,
      );
    };
    for (const { name, command, args, env } of settings.stdioServers) {
      project.servers.saveProgram(name, { command, args, env });
    }
    const mutate: Testing['mutate'] = (suiteId, body, course) =>
      mutateInMemory(project, ways, suiteId, body, course);
    return { project, saveProgram, mutate, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The mutation code is imported dynamically, because other commands do not need it. */
async function mutateInMemory(
  project: InMemoryProject,
  { widgets: _, ...ways }: LiveDependencies,
  suiteId: string,
  body: BodyOf<'createEvalSuiteMutation'>,
  { onEstimate, ...course }: CourseOfMutation,
): Promise<Mutation> {
  const { mutateHere, planMutationHere } = await import(
    '../features/mutations/work/mutate-here.ts'
  );
  const { openTrialsToMutate } = await import('../features/mutations/work/open-mutation.ts');
  let pinned: ReturnType<InMemoryProject['planOn']>['pinned'] = [];
  const planned = planMutationHere(body, (model) => {
    const found = project.planOn(suiteId, model);
    pinned = found.pinned;
    return found.launch;
  });
  onEstimate(planned.estimate);
  const { plan } = planned.launch;
  const opened = openTrialsHere({ plan, keys: {}, pinned }, ways, Number.MAX_SAFE_INTEGER);
  const { redact: _redact, ...parts } = opened.dependencies;
  const open = openTrialsToMutate({
    ...parts,
    plan,
    pinned,
    side: 'live',
    secrets: opened.secrets,
    scorersOf: () => nobodyScores,
    close: () => opened.close(),
  });
  try {
    return await mutateHere(planned, open, { id: makeNewId('mutation'), ...course });
  } finally {
    await open.close();
  }
}
