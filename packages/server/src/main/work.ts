import { version } from '@proofmark/contract';
import { finishRenewals } from '../features/servers/operations/grant-tokens.ts';
import type { EgressPolicy } from '../outside/egress/address-policy.ts';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import type { DataLockOptions } from '../platform/database/data-lock.ts';
import { databasePort } from '../platform/database/database-port.ts';
import type { Log } from '../platform/http/http-options.ts';
import { bindAddress } from './bind-address.ts';
import { warnOfBrowser } from './browser-at-start.ts';
import { createModels } from './create-models.ts';
import { egressPolicy } from './egress-policy.ts';
import { FollowedService } from './followed-service.ts';
import { isForOnePerson } from './is-single-user.ts';
import { keepWorking } from './keep-working.ts';
import { type LastVault, openStore } from './open-store.ts';
import { findOperatorServers } from './register-operator-servers.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { startWorking } from './start-working.ts';
import { stopInReverse } from './stop-in-reverse.ts';
import { closeWidgets, widgetsOfSettings } from './widgets-of-settings.ts';

export async function work(settings: Settings, log: Log): Promise<{ stop(): Promise<void> }> {
  if (settings.databaseUrl === undefined) {
    throw new BadSetting(
      'proofmark work needs --database-url; the embedded database belongs to proofmark serve.',
    );
  }
  // This process does not listen. The address is needed to recognize the service's own port. The
  // service itself checks the flag for all interfaces, so `true` is passed here.
  const bind = await bindAddress(settings.host, true);
  const servicePort = { host: bind.address, port: settings.port };
  const ownPorts = [databasePort(settings.databaseUrl), servicePort];
  const service = new FollowedService(isForOnePerson(settings, bind), log);
  const egress = egressPolicy(settings, bind, ownPorts, () => service.isForOnePerson);
  const lastVault: LastVault = {};
  const kept = await keepWorking({
    log,
    start: (lockOptions) => startParts({ settings, log, egress, service, lastVault }, lockOptions),
  });
  return {
    async stop() {
      await kept.settle();
      await kept.current()?.stop();
    },
  };
}

async function startParts(
  around: {
    readonly settings: Settings;
    readonly log: Log;
    readonly egress: EgressPolicy;
    readonly service: FollowedService;
    readonly lastVault: LastVault;
  },
  lockOptions: Omit<DataLockOptions, 'url'>,
): Promise<{ stop(): Promise<void> }> {
  const { settings, log, egress, service, lastVault } = around;
  const stops: (() => Promise<void>)[] = [];
  const stop = () => stopInReverse(stops);
  try {
    const notify = (sentence: string) => log.warn({}, sentence);
    const located = { url: settings.databaseUrl as string };
    const store = await openStore(settings, located, lockOptions, notify, lastVault);
    stops.push(() => store.close());
    for (const warning of store.warnings) log.warn({}, warning);
    stops.push(await service.follow(store.work));
    const mcp = createMcpGateway({ egress, client: { name: 'proofmark', version } });
    stops.push(() => mcp.close());
    stops.push(() => finishRenewals(mcp));
    const models = createModels(settings, egress);
    stops.push(() => models.close());
    const widgets = widgetsOfSettings(settings, egress, notify);
    await warnOfBrowser(settings, notify);
    stops.push(() => closeWidgets(widgets));
    const stdioAddresses = await findOperatorServers(store.owner, settings);
    await store.closeOwner();
    const worker = await startWorking(settings, {
      isWorkerAlone: true,
      store,
      log,
      egress,
      mcp,
      models,
      widgets,
      stdioAddressOf: (serverId) => stdioAddresses.get(serverId),
    });
    stops.push(() => worker.stop());
    return { stop };
  } catch (error) {
    await stop().catch((failure: unknown) => {
      log.error({ err: failure }, 'something could not be stopped');
    });
    throw error;
  }
}
