/**
 * Measures the cost of a simulated conversation of a journey, minus its calls. The baseline is a
 * bare loop that makes the same calls. The cost is counted from the launch of the conversations
 * until all are graded, divided by their number. Both alternate, and the better of two rounds
 * counts.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  atOnce,
  benchModel,
  best,
  type Figure,
  figureLine,
  linearLine,
  ratioLine,
  startBesideBareLoop,
} from './beside-bare-loop.ts';

const turns = 4;
const perTarget = 100;
/** Maximum number of targets in one run; more targets need several runs. */
const mostTargetsOfRun = 5;
const sessionsOfWaves = { few: perTarget, many: Number(process.env['BENCH_SESSIONS'] ?? 2000) };
const warmUpSessions = Math.min(500, sessionsOfWaves.many);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 2);

const bench = await startBesideBareLoop({
  PROOFMARK_TRIALS_AT_ONCE: String(atOnce),
  PROOFMARK_SESSIONS_PER_RUN: String(atOnce),
  PROOFMARK_BRAKES: 'off',
});
let waves = 0;
try {
  await bench.admin('set-feature', 'Bench', 'swarms', 'on');
  const { few, many } = sessionsOfWaves;
  const environments = await createEnvironments();
  const journeyId = await createJourney();
  const wave = (sessions: number, count: number) =>
    bench.measure(sessions * count, async () => {
      for (let done = 0; done < count; done += 1) {
        await playWave({ journeyId, environments, sessions });
      }
    });
  await wave(warmUpSessions, 1);
  const rounded = { bare: [], few: [], many: [] } as Record<'bare' | 'few' | 'many', Figure[]>;
  const bareLoop = { count: many, warmUp: warmUpSessions, sessions: 'trial', turns } as const;
  for (let round = 0; round < rounds; round += 1) {
    rounded.bare.push(await bench.measureBare(bareLoop));
    rounded.few.push(await wave(few, 5));
    rounded.many.push(await wave(many, 1));
  }
  const [bare, fewest, most] = [best(rounded.bare), best(rounded.few), best(rounded.many)];
  console.log(
    [
      `A session of ${turns} turns of model, tool, model, ${atOnce} at once, best of ${rounds}, Node ${process.version}`,
      figureLine('bare loop', many, 'sessions', bare),
      figureLine('Proofmark', few, 'sessions', fewest),
      figureLine('Proofmark', many, 'sessions', most),
      ratioLine(most, bare),
      linearLine('session', { count: many, figure: most }, { count: few, figure: fewest }),
    ].join('\n'),
  );
} finally {
  await bench.stop();
}

interface WaveToPlay {
  readonly journeyId: string;
  readonly environments: readonly string[];
  readonly sessions: number;
}

async function playWave({ journeyId, environments, sessions }: WaveToPlay): Promise<void> {
  waves += 1;
  const waveId = `wave-${waves}`;
  for (let left = sessions / perTarget; left > 0; left -= mostTargetsOfRun) {
    const environmentIds = environments.slice(0, Math.min(left, mostTargetsOfRun));
    await bench.post(`journeys/${journeyId}/runs`, { waveId, environmentIds });
  }
  for (;;) {
    await after(Math.min(1000, sessions / 2));
    const wave = await bench.get(`waves/${waveId}`);
    if (wave['terminal'] !== true || wave['mined'] !== true) continue;
    if (wave['sessionsGraded'] === sessions) return;
    throw new Error(`A wave ended otherwise: ${JSON.stringify(wave)}`);
  }
}

async function createEnvironments(): Promise<string[]> {
  const config = { modelId: benchModel, serverIds: [bench.serverId] };
  const { id: hostId } = await bench.post('clients', { name: 'Bench', config });
  const made: string[] = [];
  for (let count = 1; count <= mostTargetsOfRun; count += 1) {
    const { id } = await bench.post('environments', { name: `Bench ${count}`, hostId });
    made.push(String(id));
  }
  return made;
}

async function createJourney(): Promise<string> {
  const persona = await bench.post('personas', { name: 'Ann', role: 'Traveller' });
  const goal = Array.from({ length: turns }, () => 'Say how warm it is in Brno').join('\n');
  const called = { type: 'toolCalledAtLeastOnce', toolName: 'structured' };
  const journey = await bench.post('journeys', {
    goal,
    personaId: persona['id'],
    sessionsPerTarget: perTarget,
    maxTurns: turns,
    rubric: [
      { id: 'called', predicate: called },
      { id: 'said', predicate: { type: 'responseContains', needle: '21' } },
    ],
  });
  return String(journey['id']);
}
