/**
 * Starts the sample, unless the operator disabled it, the service uses an external PostgreSQL, or
 * other machines can reach the service. An error in the sample does not stop the start of the
 * service.
 */

import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/http/http-options.ts';
import type { BindAddress } from '../bind-address.ts';
import { isForOnePerson } from '../is-single-user.ts';
import { launchLimits } from '../launch-limits.ts';
import type { Settings } from '../settings.ts';
import type { SampleReport } from './run-sample.ts';

export interface SampleOfService {
  /** Never rejects. */
  report(dependencies: {
    readonly log: Log;
    readonly database: Database;
    readonly models: ModelGateway;
  }): Promise<SampleReport | undefined>;
  stop(): Promise<void>;
}

/** `noWidgets` is the reason why widgets cannot be rendered here; undefined if they can. */
export async function sampleOf(
  settings: Settings,
  bind: BindAddress,
  owner: Database,
  notify: (sentence: string) => void,
  noWidgets: string | undefined,
): Promise<SampleOfService> {
  if (!settings.sample || settings.databaseUrl !== undefined) return noSample;
  if (!isForOnePerson(settings, bind)) {
    notify(
      'the sample is not created, because it is only for a service that one person uses on loopback.',
    );
    return noSample;
  }
  // Loaded only here, because nothing else needs the library for MCP servers.
  const { startSample } = await import('./start-sample.ts');
  const started = await startSample(owner, { widgets: noWidgets === undefined });
  if (started.isNew && noWidgets !== undefined) {
    notify(`the sample has no cases about its order form: ${noWidgets}`);
  }
  return {
    async report({ log, database, models }) {
      const dependencies = {
        database,
        models,
        limits: launchLimits(settings),
        worker: settings.worker,
      };
      const orWarn = <Value>(promise: Promise<Value>, sentence: string) =>
        promise.catch((error: unknown) => {
          log.warn({ err: error }, sentence);
          return undefined;
        });
      const [report, swarm] = await Promise.all([
        orWarn(started.report(dependencies), 'the sample could not be run'),
        orWarn(started.play(dependencies), 'the journey of the sample could not be played'),
      ]);
      return report && { ...report, ...(swarm && { swarm }) };
    },
    stop: () => started.stop(),
  };
}

const noSample: SampleOfService = {
  report: async () => undefined,
  stop: async () => undefined,
};
