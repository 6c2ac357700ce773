/**
 * Simulates many concurrent visitors of one share link for a minute, with rate limits off. Each
 * visitor sends a unique word. No turn may be lost, and no visitor may receive another visitor's
 * word.
 */
import { setTimeout as after } from 'node:timers/promises';
import { startBesideBareLoop } from './beside-bare-loop.ts';

const visitors = Number(process.env['BENCH_VISITORS'] ?? 200);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 60);
const turnsOfSession = 50;

interface Seen {
  turns: number;
  lost: number;
  foreign: number;
  readonly tookMs: number[];
}

const bench = await startBesideBareLoop({
  PROOFMARK_BRAKES: 'off',
  PROOFMARK_GUEST_TURNS_AT_ONCE: 'none',
  PROOFMARK_SCENARIO_TURNS_AT_ONCE: 'none',
  PROOFMARK_CALLS_PER_SERVER: String(visitors),
});
try {
  await bench.admin('set-feature', 'Bench', 'user-testing', 'on');
  const link = await publish();
  const seen: Seen = { turns: 0, lost: 0, foreign: 0, tookMs: [] };
  const probed: number[] = [];
  const isOver = new AbortController();
  const probing = probe(probed, isOver.signal);
  const visit = async () => {
    const endsAt = performance.now() + seconds * 1000;
    await Promise.all(Array.from({ length: visitors }, (_, n) => talk(link, n, endsAt, seen)));
  };
  const figure = await bench.measure(1, visit);
  isOver.abort();
  await probing;
  const { turns, tookMs } = seen;
  const cpu = (of: number | undefined) => ((of ?? 0) / turns / 1000).toFixed(1);
  console.log(
    [
      `${visitors} visitors of one link at once for ${seconds} s, lexical model, Node ${process.version}`,
      `turns            ${turns} answered, ${(turns / figure.seconds).toFixed(0)} a second, p50 ${quantile(tookMs, 0.5)} ms, p95 ${quantile(tookMs, 0.95)} ms`,
      `CPU              ${cpu(figure.cpuMicroseconds)} ms for each turn, and ${cpu(figure.postgresMicroseconds)} ms of PostgreSQL`,
      `list of servers  ${probed.length} answered meanwhile, p50 ${quantile(probed, 0.5)} ms, p95 ${quantile(probed, 0.95)} ms`,
      `turns lost       ${seen.lost}`,
      `words of others  ${seen.foreign}`,
    ].join('\n'),
  );
  if (seen.lost + seen.foreign > 0) process.exitCode = 1;
} finally {
  await bench.stop();
}

async function publish(): Promise<string> {
  const config = { modelId: 'proofmark/lexical-1', serverIds: [bench.serverId] };
  const client = await bench.post('clients', { name: 'Visited', config });
  const environment = await bench.post('environments', { name: 'Visited', hostId: client['id'] });
  const scenarioRequest = { mode: 'anyone_with_link' };
  const published = await bench.put(`environments/${environment['id']}/scenario`, scenarioRequest);
  return String(published['link']);
}

async function talk(link: string, number: number, endsAt: number, seen: Seen): Promise<void> {
  const browser = await open(link);
  const word = `visitor${number}x`;
  while (performance.now() < endsAt) {
    const { sessionId } = await browser.send('sessions', { accessVersion: browser.accessVersion });
    let turns = 0;
    for (; turns < turnsOfSession && performance.now() < endsAt; turns += 1) {
      const begunAt = performance.now();
      const text = `echo "${word}"`;
      const asked = { text, clientTurnId: String(turns), accessVersion: browser.accessVersion };
      const lines = await browser.lines(`sessions/${sessionId}/turns`, asked);
      seen.turns += 1;
      seen.tookMs.push(performance.now() - begunAt);
      if (!lines.includes('"turn_finish"') || !lines.includes(word)) seen.lost += 1;
      if (hasOther(lines, word)) seen.foreign += 1;
    }
    const kept = await browser.read(`sessions/${sessionId}`);
    if (kept.split(`echo \\"${word}`).length - 1 !== turns) seen.lost += 1;
    if (hasOther(kept, word)) seen.foreign += 1;
  }
}

function hasOther(text: string, own: string): boolean {
  return [...text.matchAll(/visitor\d+x/g)].some(([word]) => word !== own);
}

async function open(link: string) {
  const { origin, pathname } = new URL(link);
  const token = pathname.split('/').at(-1);
  const known = await fetch(`${origin}/visit/v1/session`);
  const cookie = known.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const { csrfToken } = (await known.json()) as { csrfToken: string };
  const headers = {
    cookie,
    origin,
    'x-csrf-token': csrfToken,
    'content-type': 'application/json',
    accept: 'application/x-ndjson',
  };
  const text = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/visit/v1/${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.text();
  };
  const admitted = JSON.parse(await text('redeem', { token }));
  const place = `scenarios/${admitted.scenarioId}`;
  const { accessVersion, notice } = admitted;
  await text(`${place}/consent`, { noticeVersion: notice.version, accessVersion });
  return {
    accessVersion: accessVersion as number,
    send: async (path: string, body: object) => JSON.parse(await text(`${place}/${path}`, body)),
    lines: (path: string, body: object) => text(`${place}/${path}`, body),
    read: (path: string) => text(`${place}/${path}`),
  };
}

async function probe(tookMs: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const begunAt = performance.now();
    await bench.get('servers');
    tookMs.push(performance.now() - begunAt);
    await after(100);
  }
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
}
