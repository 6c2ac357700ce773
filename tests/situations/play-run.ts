/**
 * Executes a run of the table of situations: saves its servers, creates its suite, launches it and
 * reads all results.
 */

import type { ChatRequest } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { type Line, scriptOf } from './lines.ts';
import { weather } from './servers/weather-server.ts';
import type {
  Answer,
  Ids,
  RunSituation,
  SeenRun,
  ServerStart,
  SituationFixture,
  StartedServer,
} from './situation.ts';

/**
 * Returns the models of a row. The provider recognizes the row of a request by the model's name.
 */
export function modelsOf(row: RunSituation, number: number): string[] {
  const ofCases = modelsUnderTest(row, number);
  return row.judge === undefined ? ofCases : [...ofCases, judgeOf(number)];
}

export function modelsUnderTest({ cases }: RunSituation, number: number): string[] {
  return cases.map((_, index) => `row-${number}-${index}`);
}

export async function playRun(
  row: RunSituation,
  number: number,
  fixture: SituationFixture,
): Promise<SeenRun> {
  const started: Record<string, StartedServer> = {};
  try {
    const servers = await openServers(row.servers ?? { A: weather() }, fixture, started);
    return await playOn(row, number, fixture, started, servers);
  } finally {
    await row.after?.(fixture);
    for (const server of Object.values(started)) await server.stop();
  }
}

export interface SavedServers {
  readonly ids: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
}

export async function openServers(
  wished: Readonly<Record<string, ServerStart>>,
  fixture: SituationFixture,
  started: Record<string, StartedServer>,
): Promise<SavedServers> {
  const ids: Record<string, string> = {};
  const names: Record<string, string> = {};
  for (const [key, start] of Object.entries(wished)) {
    const server = await start(fixture);
    started[key] = server;
    const { url, stdio, saved } = server;
    if (stdio !== undefined) {
      ids[key] = fixture.stdioId(stdio);
      names[key] = `Stdio ${stdio}`;
      continue;
    }
    const name = unique(`Server-${key}`);
    const body = { name, enabled: true, transportType: 'http', url, ...saved };
    ids[key] = (await fixture.get(201, 'POST', 'servers', body)).id;
    names[key] = name;
  }
  return { ids, names };
}

async function playOn(
  row: RunSituation,
  number: number,
  fixture: SituationFixture,
  started: Readonly<Record<string, StartedServer>>,
  servers: SavedServers,
): Promise<SeenRun> {
  const chats: ChatRequest[] = [];
  let made: Ids | undefined;
  const happens = async () => {
    if (made !== undefined) await row.happens?.(fixture, made);
  };
  const tests = row.cases.map(({ says, sampled, ...test }, index) => {
    if (says === undefined) return filled(test, servers);
    const model = `row-${number}-${index}`;
    const prompts = promptsOf(test.steps);
    const lines = says as readonly Line[];
    const script = { prompts, lines, sampled: sampled as Line | undefined, happens };
    fixture.scripts.set(
      model,
      scriptOf({ ...script, keep: (request) => void chats.push(request) }),
    );
    return { model: `local/${model}`, ...filled(test, servers) };
  });
  if (row.judge !== undefined)
    fixture.scripts.set(judgeOf(number), () => ({ text: row.judge ?? '' }));
  const suite = await fixture.get(201, 'POST', 'eval-suites', {
    name: unique('Suite'),
    serverIds: Object.values(servers.ids),
    model: 'proofmark/lexical-1',
    settings: {
      ...row.settings,
      ...(row.judge !== undefined && {
        judge: { enabled: true, autoRun: true, model: `local/${judgeOf(number)}` },
      }),
    },
    tests,
  });
  made = { servers: servers.ids, suiteId: suite.suiteId, started };
  await row.before?.(fixture, made);
  const namedHostId = row.client && (await saveClient(fixture, row.client));
  const api = await fixture.apiOf(row.limits ?? {});
  const body = { suiteId: suite.suiteId, ...(namedHostId && { namedHostId }), ...row.launch };
  const answer = await api('POST', 'eval-runs', body);
  if (answer.status !== 202)
    throw new Error(`The launch answered ${answer.status}: ${answer.text}`);
  const { runId } = answer.body;
  const seen = await readRun(fixture, runId, row.judge !== undefined);
  return { ...seen, launched: answer.body, servers: started, chats };
}

export async function readRun(
  fixture: SituationFixture,
  runId: string,
  isJudged = false,
): Promise<SeenRun> {
  const path = `eval-runs/${runId}`;
  const run = await untilEnded(fixture, path, isJudged);
  const summary = await fixture.get(200, 'GET', `${path}/decision-summary?limit=200`);
  const { items } = await fixture.get(200, 'GET', `${path}/iterations?limit=100`);
  const trace = (trial: Answer) => fixture.get(200, 'GET', `${path}/iterations/${trial.id}/trace`);
  return { runId, launched: {}, run, summary, trials: items, trace, fixture, ...nobody };
}

/** Polls rarely: many rows wait at the same time, and each request takes CPU from the service. */
async function untilEnded(
  fixture: SituationFixture,
  path: string,
  isJudged: boolean,
): Promise<Answer> {
  const until = performance.now() + 120_000;
  for (;;) {
    const run = await fixture.get(200, 'GET', path);
    const isOpen = ['pending', 'running'].includes(run.status);
    if (!isOpen && !(isJudged && run.judges.goalCompletion.status === 'pending')) return run;
    if (performance.now() > until) throw new Error(`The run did not end: ${JSON.stringify(run)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const nobody = { servers: {}, chats: [] };

async function saveClient(fixture: SituationFixture, config: object): Promise<string> {
  const clientFields =
    'template' in config ? config : { config: { modelId: 'proofmark/lexical-1', ...config } };
  return (await fixture.get(201, 'POST', 'clients', { name: unique('Client'), ...clientFields }))
    .id;
}

function judgeOf(number: number): string {
  return `row-${number}-judge`;
}

function promptsOf(steps: readonly object[]): string[] {
  return steps.flatMap((step) =>
    'prompt' in step && typeof step.prompt === 'string' ? [step.prompt] : [],
  );
}

/** Replaces each text `@A` or `#A` with the name or the id of server A. */
function filled<Value>(value: Value, { ids, names }: SavedServers): Value {
  const text = JSON.stringify(value).replace(/"([@#])([A-Z])"/g, (whole, mark, key) =>
    JSON.stringify((mark === '@' ? names[key] : ids[key]) ?? JSON.parse(whole)),
  );
  return JSON.parse(text) as Value;
}
