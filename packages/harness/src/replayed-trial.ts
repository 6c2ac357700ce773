import { type Recording, type RunPlan, readIgnore } from '@proofmark/domain';
import { finishRecording } from '../../server/src/conversation/recordings/finish-recording.ts';
import { OpenedRecordingOfTrial } from '../../server/src/conversation/recordings/opened-recording.ts';
import { replayedDependencies } from '../../server/src/conversation/recordings/replayed-dependencies.ts';
import { TrialRecorder } from '../../server/src/conversation/recordings/trial-recorder.ts';
import {
  type ReplayTerms,
  TrialReplay,
} from '../../server/src/conversation/recordings/trial-replay.ts';
import type { TrialDependencies } from '../../server/src/conversation/trial-dependencies.ts';
import type { McpGateway } from '../../server/src/outside/mcp/mcp-gateway.ts';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from './engine-trial.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  startFakeMcpServer,
} from './mcp-servers/fake-mcp-server.ts';
import type { ModelLine } from './stage-row.ts';

export type CaseToReplay = Parameters<typeof planFor>[0];

export interface TrialToRecord {
  readonly definition: CaseToReplay;
  readonly lines?: readonly ModelLine[];
  readonly answers?: Readonly<Record<string, FakeAnswer>>;
  /** Starts the server of the trial. If absent, a fake server with `answers` is started. */
  readonly start?: () => Promise<Omit<FakeMcpServer, 'requests'>>;
  readonly secrets?: readonly string[];
  readonly more?: Partial<TrialDependencies>;
  readonly plan?: Partial<Omit<RunPlan, 'client'>>;
}

export async function recordTrial(mcp: McpGateway, options: TrialToRecord) {
  const server = await (options.start?.() ?? startFakeMcpServer(options.answers));
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const runServers = runServersFor(mcp, servers);
  const recorder = new TrialRecorder(servers, () => performance.now());
  const models = modelOfLines(options.lines ?? []);
  const dependencies = recorder.around(dependenciesFor(runServers, models, options.more));
  const record = await firstTrial(dependencies, planFor(options.definition, servers, options.plan));
  await runServers.close();
  await server.stop();
  const finished = finishRecording(recorder, options.secrets ?? [], record.durationMs);
  if (finished.state !== 'kept') throw new Error('The recording is too large to be replayed.');
  return { record, finished, recording: JSON.parse(finished.content) as Recording };
}

export type RecordedTrial = Awaited<ReturnType<typeof recordTrial>>;

export interface TrialToReplay extends TrialToRecord {
  readonly terms?: Partial<ReplayTerms>;
  readonly id?: string;
}

export async function replayTrial(
  mcp: McpGateway,
  { recording, finished }: Pick<RecordedTrial, 'recording' | 'finished'>,
  options: TrialToReplay,
) {
  const fake = options.answers && (await startFakeMcpServer(options.answers));
  const server = fake ?? (await options.start?.());
  const url = server?.url ?? 'http://127.0.0.1:9/mcp';
  const servers = [{ id: options.id ?? 'srv_2', name: 'Weather', url }];
  const runServers = runServersFor(mcp, servers);
  const models = modelOfLines(options.lines ?? []);
  const opened = new OpenedRecordingOfTrial(recording, finished.durations);
  const terms: ReplayTerms = {
    model: 'recorded' as const,
    servers: 'recorded' as const,
    onDivergence: 'stop' as const,
    asksModel: true as const,
    ignore: readIgnore(),
    ...options.terms,
  };
  const played = new TrialReplay(opened, terms, servers, () => options.secrets ?? []);
  const own = dependenciesFor(runServers, models, options.more);
  try {
    const plan = planFor(options.definition, servers, options.plan);
    const again = await firstTrial(replayedDependencies(played, own), plan);
    return { again, played, models, requests: fake?.requests ?? [] };
  } finally {
    await runServers.close();
    await server?.stop();
  }
}

export function callsAmong(requests: FakeMcpServer['requests']) {
  return requests.filter(({ message }) => message['method'] === 'tools/call');
}
