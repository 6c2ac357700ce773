/**
 * Starts the parts of the service that work on the data, in order. When the data is released for a
 * restore, they stop in reverse order.
 */
import { randomBytes } from 'node:crypto';
import { version } from '@proofmark/contract';
import { makeId } from '@proofmark/domain';
import { listProviders } from '../features/models/store/model-providers.ts';
import { finishRenewals } from '../features/servers/operations/grant-tokens.ts';
import { createTurnRunner } from '../features/user-testing/turns/create-turn-runner.ts';
import type { EgressPolicy } from '../outside/egress/address-policy.ts';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { linearPatterns } from '../outside/patterns/linear-patterns.ts';
import { ensureAccount, lockAccountsAndCheckForAny } from '../platform/accounts/store/accounts.ts';
import { ensureOrganization } from '../platform/accounts/store/organizations.ts';
import type { DataLockOptions } from '../platform/database/data-lock.ts';
import type { Database } from '../platform/database/database.ts';
import { recordForOnePerson } from '../platform/database/installation.ts';
import type { Log } from '../platform/http/http-options.ts';
import type { Listener } from '../platform/http/listen.ts';
import { AnswerCache } from '../platform/operations/answer-cache.ts';
import type { BindAddress } from './bind-address.ts';
import { warnOfBrowser } from './browser-at-start.ts';
import { checkPartModels } from './check-part-models.ts';
import { createModels } from './create-models.ts';
import { isForOnePerson } from './is-single-user.ts';
import type { LocatedDatabase, Notify } from './locate-database.ts';
import { type LastVault, openStore, type Store } from './open-store.ts';
import { openEgressCheck } from './own-connection-check.ts';
import { registerOperatorServers } from './register-operator-servers.ts';
import { type SampleOfService, sampleOf } from './sample/sample-of.ts';
import { createServiceListener, type ServiceOptions } from './service-listener.ts';
import type { Settings } from './settings.ts';
import { startWorking } from './start-working.ts';
import { stopInReverse } from './stop-in-reverse.ts';
import { closeWidgets, widgetsOfSettings } from './widgets-of-settings.ts';

export interface ServiceParts {
  readonly listener: Listener;
  readonly store: Store;
  readonly sample: SampleOfService;
  readonly models: ModelGateway;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

export interface AroundParts {
  readonly settings: Settings;
  readonly bind: BindAddress;
  readonly located: LocatedDatabase;
  readonly egress: EgressPolicy;
  readonly log: Log;
  readonly notify: Notify;
  readonly lastVault: LastVault;
  /**
   * Does the rest of the start that needs the connection of the tables' owner, before that
   * connection is closed.
   */
  withOwner(owner: Database): Promise<void>;
}
type OfParts =
  | 'database'
  | 'log'
  | 'mcp'
  | 'models'
  | 'stdioAddressOf'
  | 'answerCache'
  | 'turns'
  | 'widgets'
  | 'conformanceFolder';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the steps of one start, each beside the step that undoes it.
export async function startParts(
  { settings, bind, located, egress, log, notify, lastVault, withOwner }: AroundParts,
  http: Omit<ServiceOptions, OfParts>,
  lockOptions: Omit<DataLockOptions, 'url'>,
): Promise<ServiceParts> {
  const stops: (() => Promise<void>)[] = [];
  const stop = () => stopInReverse(stops);
  try {
    const warn = (sentence: string) => log.warn({}, sentence);
    const store = await openStore(settings, located, lockOptions, warn, lastVault);
    stops.push(() => store.close());
    for (const warning of store.warnings) log.warn({}, warning);
    await recordForOnePerson(store.owner, isForOnePerson(settings, bind));
    await ensureFirstOwner(store.owner);
    const stdioAddressOf = await registerOperatorServers(store.owner, settings);
    const widgets = widgetsOfSettings(settings, egress, warn);
    await warnOfBrowser(settings, warn);
    stops.push(() => closeWidgets(widgets));
    const noWidgets = 'missing' in widgets ? widgets.missing : undefined;
    const sample = await sampleOf(settings, bind, store.owner, notify, noWidgets);
    stops.push(() => sample.stop());
    const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
    stops.push(() => mcp.close());
    stops.push(() => finishRenewals(mcp));
    const models = createModels(settings, egress);
    stops.push(() => models.close());
    const saved = await listProviders(store.owner.sql, store.database.vault, null);
    const offered = models.including(saved);
    const hosted = offered.offer.hosted.map(({ id }) => id);
    for (const warning of checkPartModels(settings, hosted)) log.warn({}, warning);
    await offered.close();
    const egressCheck = await openEgressCheck(egress);
    stops.push(() => egressCheck.close());
    const turns = createTurnRunner({
      database: store.database,
      log,
      mcp,
      models,
      patterns: linearPatterns,
      callsPerServer: settings.callsPerServer,
      creditsPerDay: http.spending.limits.creditsPerDay,
      maxModelSteps: http.runLimits.maxModelSteps,
      newId: (kind) => makeId(kind, Date.now(), randomBytes(10)),
      verifyEgress: () => egressCheck.works(),
    });
    stops.push(() => turns.close());
    const listener = createServiceListener({
      ...http,
      database: store.database,
      log,
      mcp,
      models,
      stdioAddressOf,
      turns,
      widgets,
      conformanceFolder: settings.conformanceFolder,
      answerCache: new AnswerCache(),
    });
    // Turns end before the connections close, so that visitors get the last line of their turns.
    let stopWorker: () => Promise<void> = () => turns.close();
    if (settings.worker) {
      const worker = await startWorking(settings, {
        store,
        log,
        egress,
        mcp,
        models,
        widgets,
        stdioAddressOf,
        mayBegin: () => http.disk?.isFull !== true,
      });
      let stopped: Promise<void> | undefined;
      stopWorker = () => {
        stopped ??= Promise.all([turns.close(), worker.stop()]).then(() => undefined);
        return stopped;
      };
      stops.push(stopWorker);
    }
    await withOwner(store.owner);
    await store.closeOwner();
    return { listener, store, sample, models, stopWorker, stop };
  } catch (error) {
    await stop().catch((failure: unknown) => {
      log.error({ err: failure }, 'something could not be stopped');
    });
    throw error;
  }
}

/** Creates the first account, organization and Default project, if the installation is empty. */
async function ensureFirstOwner(owner: Database): Promise<void> {
  await owner.transaction(async (sql) => {
    if (await lockAccountsAndCheckForAny(sql)) return;
    const account = await ensureAccount(sql, { email: 'owner@localhost', name: 'Owner' });
    await ensureOrganization(sql, account.id, 'My organization');
  });
}
