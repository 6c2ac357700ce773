/**
 * Starts the service: API, console and worker in one process, started in order and stopped in
 * reverse order. During a restore, only the database server and the listening socket stay open;
 * everything else is stopped and started again.
 */

import { version } from '@proofmark/contract';
import { installationMetrics } from '../features/health/installation-metrics.ts';
import { readInstallationLoad } from '../features/health/store/read-installation-load.ts';
import { checkUrl, type EgressPolicy } from '../outside/egress/address-policy.ts';
import { createGuardedFetch } from '../outside/egress/guarded-fetch.ts';
import { forOperatorsAddress } from '../outside/egress/operators-address.ts';
import type { Database } from '../platform/database/database.ts';
import { databasePort } from '../platform/database/database-port.ts';
import { parseTrustedProxy } from '../platform/http/client-address.ts';
import type { HttpOptions, Log } from '../platform/http/http-options.ts';
import { type Listener, type Listening, listen } from '../platform/http/listen.ts';
import { createMetrics } from '../platform/http/metrics.ts';
import { loadPages } from '../platform/http/pages.ts';
import { pausableListener } from '../platform/http/pausable-listener.ts';
import { addressUrl } from './address-url.ts';
import { type BindAddress, bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import { findVault } from './find-vault.ts';
import { type FirstLink, makeFirstLink } from './first-link.ts';
import { folderServiceOf } from './folder-service.ts';
import { freeDiskSpace } from './free-disk-space.ts';
import { isForOnePerson, openToThisMachine } from './is-single-user.ts';
import { keepWorking } from './keep-working.ts';
import { launchLimits, retentionOf } from './launch-limits.ts';
import { locateDatabase } from './locate-database.ts';
import type { SampleReport } from './sample/run-sample.ts';
import { type ServiceParts, startParts } from './service-parts.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { partModelsOf, spendingOf } from './spending-settings.ts';
import { stopInReverse } from './stop-in-reverse.ts';
import { visitLimitsOf } from './visit-settings.ts';
import { reserveBytesOf, watchDisk } from './watch-disk.ts';

export interface Service {
  readonly url: string;
  /** The sign-in link to print. Present while nobody can sign in by other means. */
  readonly signInLink?: FirstLink;
  /** Resolves with the report of the sample, or with undefined if there is no sample. */
  readonly sample: Promise<SampleReport | undefined>;
  /** The notice that the service may call servers on this machine without explicit permission. */
  readonly notice?: string;
  stop(): Promise<void>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the steps of one start, each beside the step that undoes it.
export async function serve(
  settings: Settings,
  options: {
    readonly log: Log;
    readonly notify: (sentence: string) => void;
    readonly consoleFolder: string;
    /**
     * The folder with the lightweight command and its description, which are served under `/cli/`.
     */
    readonly commandFolder: string;
  },
): Promise<Service> {
  const { log } = options;
  const bind = await bindAddress(settings.host, settings.dangerouslyBindAll);
  const stops: (() => Promise<void>)[] = [];
  const stop = () => stopInReverse(stops);
  try {
    // Checks the key before anything is started, so that an invalid key stops the start.
    findVault(settings);
    const located = await locateDatabase(settings, 'exclusive', options.notify);
    stops.push(() => located.stop());
    const reserveBytes = reserveBytesOf(settings);
    const disk = watchDisk({ folder: located.folder, reserveBytes }, log);
    stops.push(async () => disk.stop());
    const ownPorts = [databasePort(located.url)];
    const egress = egressPolicy(settings, bind, ownPorts);
    const mailer = await mailerOf(settings, log);
    stops.push(async () => mailer?.close());
    let working: () => ServiceParts | undefined = () => undefined;
    const installation = {
      readInstallationLoad: async () => {
        const parts = working();
        if (parts === undefined)
          throw new Error(
            'This process does not use the data now, because a restore is in progress.',
          );
        return readInstallationLoad(parts.store.database);
      },
      freeDiskSpace: () => freeDiskSpace(settings, disk.isFull),
    };
    const shared = {
      metrics: createMetrics(installationMetrics(installation)),
      freeDiskSpace: installation.freeDiskSpace,
      disk,
      mailer,
      pages: new Map([
        ...loadPages(options.consoleFolder),
        ...loadPages(options.commandFolder, '/cli/'),
      ]),
      ...(await httpSettings(settings, bind, egress)),
    };
    const requests = pausableListener({ ...shared, log });
    let isLettingGo = false;
    let isStopping = false;
    const listening = await listenAt(requests.listener, settings, bind);
    ownPorts.push({ host: listening.address, port: listening.port });
    const url = settings.publicUrl ?? addressUrl(listening);
    located.lock?.describe({ url });
    stops.push(() => listening.stop(25_000));
    let firstLink: Promise<FirstLink | undefined> | undefined;
    const folderService = folderServiceOf(settings, bind);
    stops.push(() => folderService.withdraw(undefined));
    const withOwner = async (owner: Database) => {
      firstLink ??= makeFirstLink(owner, url);
      await firstLink;
      await folderService.announce(owner, url);
    };
    const { notify } = options;
    const around = { settings, bind, located, egress, log, notify, lastVault: {}, withOwner };
    const kept = await keepWorking({
      log,
      start: (lockOptions) =>
        startParts(
          around,
          {
            ...shared,
            isLettingGo: () => isLettingGo,
            mayFollow: () => !isLettingGo && !isStopping,
          },
          lockOptions,
        ),
      async pause() {
        isLettingGo = true;
        await requests.pause(longestAnswerMs);
      },
      resume(parts) {
        isLettingGo = false;
        requests.resume(parts.listener);
      },
    });
    working = kept.current;
    stops.push(async () => {
      await kept.settle();
      await kept.current()?.stopWorker();
      await listening.stop(25_000);
      await kept.current()?.stop();
    });
    stops.push(async () => {
      isStopping = true;
      await kept.settle();
      await folderService.withdraw(kept.current()?.store.database);
    });
    const { store, sample, models } = kept.first;
    const signInLink = await firstLink;
    log.info({ address: listening.address, port: listening.port, version }, 'ready');
    const report = sample.report({ log, database: store.database, models });
    if (settings.publicUrl !== undefined && bind.loopback && settings.trustedProxies.length === 0)
      log.warn({}, behindUnnamedProxy);
    const notice = isForOnePerson(settings, bind) ? { notice: openToThisMachine } : {};
    return { url, ...(signInLink && { signInLink }), sample: report, ...notice, stop };
  } catch (error) {
    await stop().catch((failure: unknown) => {
      log.error({ err: failure }, 'something could not be stopped');
    });
    throw error;
  }
}

/**
 * The warning for a public address without a trusted proxy. A service that listens on loopback gets
 * requests to a public address only through a proxy.
 */
const behindUnnamedProxy =
  'PROOFMARK_PUBLIC_URL is set and the service listens on loopback, but no proxy is trusted, so all visitors count as one address. Set PROOFMARK_TRUSTED_PROXIES to the address of the proxy.';

/** The milliseconds that open requests have to complete when a restore needs the data. */
const longestAnswerMs = 10_000;

async function httpSettings(settings: Settings, bind: BindAddress, egress: EgressPolicy) {
  const names = settings.publicUrl === undefined ? [] : [new URL(settings.publicUrl).hostname];
  return {
    rateLimit: settings.rateLimit,
    ingestionRateLimit: settings.ingestionRateLimit,
    retention: retentionOf(settings),
    runLimits: launchLimits(settings),
    spending: spendingOf(settings),
    visitLimits: visitLimitsOf(settings),
    partModels: partModelsOf(settings),
    hostNames: [...settings.hostNames, ...names].map((name) => name.toLowerCase()),
    publicUrl: settings.publicUrl,
    trustedProxies: settings.trustedProxies.map(parseTrustedProxy),
    metricsToken: settings.metricsToken,
    metricsNeedToken: !isForOnePerson(settings, bind),
    mayReach: (url: string) => checkUrl(url, egress).refusal === undefined,
    oidc: await oidcOf(settings, bind, egress),
  };
}

/** The mail library is loaded only if the operator has configured mail. */
async function mailerOf({ smtpUrl: url, mailFrom: from }: Settings, log: Log) {
  if (url === undefined || from === undefined) return undefined;
  const { createMailer } = await import('../outside/mail/mailer.ts');
  return createMailer({ url, from, warn: (fields, sentence) => log.warn(fields, sentence) });
}

async function listenAt(
  listener: Listener,
  settings: Settings,
  bind: BindAddress,
): Promise<Listening> {
  try {
    return await listen(listener, { host: bind.address, port: settings.port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new BadSetting(
      `Port ${settings.port} on ${settings.host} is in use; choose another with --port.`,
    );
  }
}

/** The OIDC library is loaded only if the operator has configured a provider. */
async function oidcOf(
  settings: Settings,
  bind: BindAddress,
  egress: EgressPolicy,
): Promise<HttpOptions['oidc']> {
  if (settings.oidcIssuer === undefined || settings.oidcClientId === undefined) return undefined;
  if (settings.publicUrl === undefined && settings.port === 0) {
    throw new BadSetting(
      'OIDC needs a fixed --port or PROOFMARK_PUBLIC_URL, since the provider must know the address.',
    );
  }
  const base = settings.publicUrl ?? addressUrl({ address: bind.address, port: settings.port });
  const redirectUri = `${base}/console/oidc/callback`;
  const { createOidc } = await import('../platform/accounts/oidc/oidc.ts');
  return createOidc(
    {
      issuer: settings.oidcIssuer,
      clientId: settings.oidcClientId,
      redirectUri,
      allowInsecureIssuer: bind.loopback,
      ...(settings.oidcClientSecret !== undefined && { clientSecret: settings.oidcClientSecret }),
    },
    createGuardedFetch(forOperatorsAddress(settings.oidcIssuer, egress)),
  );
}
