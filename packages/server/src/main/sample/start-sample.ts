/**
 * Runs the sample server while the service runs. It does not start if the server or its suite was
 * deleted, or if the server's address was changed. The sample is only for a service for one person,
 * because no other service may call loopback.
 */

import {
  moveSample,
  readSample,
  readSampleUrl,
  type Sample,
} from '../../features/evals/store/sample.ts';
import type { Database } from '../../platform/database/database.ts';
import { listenForSample, type SampleListener, samplePortOf } from './listen-for-sample.ts';
import { runSample, type SampleReport } from './run-sample.ts';
import { runSampleJourney, type SampleSwarmReport } from './run-sample-journey.ts';
import type { SampleDependencies } from './sample-parts.ts';
import { type SampleSuite, sampleSuiteWith } from './sample-suite.ts';
import { seedSample } from './seed-sample.ts';

export interface StartedSample {
  /** Whether this start created the sample. */
  readonly isNew: boolean;
  /**
   * Runs the suite if it has no run, and reports the decision. Returns undefined if there is no
   * decision to report.
   */
  report(dependencies: SampleDependencies): Promise<SampleReport | undefined>;
  play(dependencies: SampleDependencies): Promise<SampleSwarmReport | undefined>;
  stop(): Promise<void>;
}

export interface SampleAbilities {
  /**
   * Whether widgets can be rendered here. If they can at the first start, the suite gets cases
   * about a widget.
   */
  readonly widgets: boolean;
}

export async function startSample(
  owner: Database,
  { widgets }: SampleAbilities,
): Promise<StartedSample> {
  const known = await readSample(owner);
  const { sample, listener } =
    known === undefined
      ? await makeSample(owner, sampleSuiteWith({ widgets }))
      : await resumeSample(owner, known);
  const stopping = new AbortController();
  const pending: Promise<unknown>[] = [];
  const withSample = <Value>(
    look: (sample: Sample) => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    const looked = sample === null ? Promise.resolve(undefined) : look(sample);
    // If the service stops during the wait, an error is expected and not reported.
    const answer = looked.catch((error: unknown) => {
      if (stopping.signal.aborted) return undefined;
      throw error;
    });
    pending.push(answer.catch(() => undefined));
    return answer;
  };
  return {
    isNew: known === undefined && sample !== null,
    report: (dependencies) =>
      withSample((seeded) => runSample(dependencies, seeded, stopping.signal)),
    play: (dependencies) =>
      withSample((seeded) => runSampleJourney(dependencies, seeded, stopping.signal)),
    async stop() {
      stopping.abort();
      await Promise.all(pending);
      await listener?.stop();
    },
  };
}

interface Ready {
  readonly sample: Sample | null;
  readonly listener: SampleListener | undefined;
}

async function makeSample(owner: Database, suite: SampleSuite): Promise<Ready> {
  const listener = await listenForSample();
  let sample: Sample | null = null;
  try {
    sample = await seedSample(owner, listener.url, suite);
  } finally {
    if (sample === null) await listener.stop();
  }
  return { sample, listener: sample === null ? undefined : listener };
}

async function resumeSample(owner: Database, sample: Sample | null): Promise<Ready> {
  const url = sample === null ? undefined : await readSampleUrl(owner, sample);
  const port = samplePortOf(url);
  if (sample === null || url === undefined || port === undefined) {
    return { sample, listener: undefined };
  }
  const listener = await listenForSample(port);
  if (listener.url !== url) await moveSample(owner, sample, url, listener.url);
  return { sample, listener };
}
