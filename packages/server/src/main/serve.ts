/** The service: API, console and worker in one process, put together in order and stopped in reverse. */

import { version } from '@proofmark/contract';
import { createOidc } from '../accounts/oidc/oidc.ts';
import { createSignInLink, signInUrl } from '../accounts/sessions.ts';
import { AnswerCache } from '../actions/answer-cache.ts';
import { finishRenewals } from '../actions/servers/grant-tokens.ts';
import { checkUrl, type EgressPolicy } from '../egress/address-policy.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import { forOperatorsAddress } from '../egress/operators-address.ts';
import { parseTrustedProxy } from '../http/client-address.ts';
import type { HttpOptions, Log } from '../http/http-options.ts';
import { type Listening, listen } from '../http/listen.ts';
import { createMetrics } from '../http/metrics.ts';
import { loadPages } from '../http/pages.ts';
import { createRequestListener } from '../http/request-listener.ts';
import { createMcpGateway } from '../mcp/create-mcp-gateway.ts';
import { findOwnerWithoutPassword } from '../storage/accounts/accounts.ts';
import { databasePort } from '../storage/database/database-port.ts';
import { addressUrl } from './address-url.ts';
import { type BindAddress, bindAddress } from './bind-address.ts';
import { createModels } from './create-models.ts';
import { egressPolicy } from './egress-policy.ts';
import { ensureFirstOwner } from './ensure-first-owner.ts';
import { isForOnePerson, openToThisMachine } from './for-one-person.ts';
import { launchLimits } from './launch-limits.ts';
import { openStore, type Store } from './open-store.ts';
import { registerOperatorServers } from './register-operator-servers.ts';
import type { SampleReport } from './sample/run-sample.ts';
import { sampleOf } from './sample/sample-of.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { startWorking } from './start-working.ts';

export interface Service {
  readonly url: string;
  /** Present while nobody can sign in by other means. */
  readonly signInLink?: { readonly url: string; readonly email: string; readonly expiresAt: Date };
  /** What became of the sample, as soon as it is known; nothing where there is none. */
  readonly sample: Promise<SampleReport | undefined>;
  /** Said where servers on this machine may be called without being listed. */
  readonly notice?: string;
  stop(): Promise<void>;
}

export async function serve(
  settings: Settings,
  options: {
    readonly log: Log;
    readonly say: (sentence: string) => void;
    readonly consoleFolder: string;
  },
): Promise<Service> {
  const { log } = options;
  const bind = await bindAddress(settings.host, settings.dangerouslyBindAll);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const store = await openStore(settings, 'exclusive', options.say);
    stops.push(() => store.close());
    for (const warning of store.warnings) log.warn({}, warning);
    await ensureFirstOwner(store.owner);
    const stdioAddresses = await registerOperatorServers(store.owner, settings);
    const sample = await sampleOf(settings, bind, store.owner, options.say);
    stops.push(() => sample.stop());
    const ownPorts = [databasePort(store.url)];
    const egress = egressPolicy(settings, bind, ownPorts);
    const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
    stops.push(async () => {
      await finishRenewals(mcp);
      await mcp.close();
    });
    const models = createModels(settings, egress);
    stops.push(() => models.close());
    const listener = createRequestListener({
      ...httpSettings(settings, bind, egress),
      database: store.database,
      log,
      metrics: createMetrics(),
      mcp,
      models,
      stdioAddressOf: (serverId) => stdioAddresses.get(serverId),
      pages: loadPages(options.consoleFolder),
      answerCache: new AnswerCache(),
    });
    const listening = await listenAt(listener, settings, bind);
    stops.push(() => listening.stop(25_000));
    ownPorts.push({ host: listening.address, port: listening.port });
    const url = settings.publicUrl ?? addressUrl(listening);
    store.describe(url);
    if (settings.worker) {
      const stdioAddressOf = (serverId: string) => stdioAddresses.get(serverId);
      const parts = { store, log, egress, mcp, models, stdioAddressOf };
      const worker = await startWorking(settings, parts);
      stops.push(() => worker.stop());
    }
    const signInLink = await firstLink(store, url);
    log.info({ address: listening.address, port: listening.port, version }, 'ready');
    const report = sample.report({ log, database: store.database, models });
    const notice = isForOnePerson(settings, bind) ? { notice: openToThisMachine } : {};
    return { url, ...(signInLink && { signInLink }), sample: report, ...notice, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function httpSettings(settings: Settings, bind: BindAddress, egress: EgressPolicy) {
  const names = settings.publicUrl === undefined ? [] : [new URL(settings.publicUrl).hostname];
  return {
    rateLimit: settings.rateLimit,
    runLimits: launchLimits(settings),
    hostNames: [...settings.hostNames, ...names].map((name) => name.toLowerCase()),
    publicUrl: settings.publicUrl,
    trustedProxies: settings.trustedProxies.map(parseTrustedProxy),
    metricsToken: settings.metricsToken,
    metricsNeedToken: !isForOnePerson(settings, bind),
    mayReach: (url: string) => checkUrl(url, egress).refusal === undefined,
    oidc: oidcOf(settings, bind, egress),
  };
}

async function listenAt(
  listener: ReturnType<typeof createRequestListener>,
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

function oidcOf(settings: Settings, bind: BindAddress, egress: EgressPolicy): HttpOptions['oidc'] {
  if (settings.oidcIssuer === undefined || settings.oidcClientId === undefined) return undefined;
  if (settings.publicUrl === undefined && settings.port === 0) {
    throw new BadSetting(
      'OIDC needs a fixed --port or PROOFMARK_PUBLIC_URL, since the provider must know the address.',
    );
  }
  const base = settings.publicUrl ?? addressUrl({ address: bind.address, port: settings.port });
  const redirectUri = `${base}/console/oidc/callback`;
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

async function firstLink(store: Store, url: string): Promise<Service['signInLink']> {
  const owner = await findOwnerWithoutPassword(store.owner);
  if (owner === undefined) return undefined;
  const { token, expiresAt } = await createSignInLink(store.owner, owner.id);
  return { url: signInUrl(url, token), email: owner.email, expiresAt };
}
