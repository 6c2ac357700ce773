/**
 * Creates the models for a command of the operator: those of the configuration file, limited to
 * addresses that the service of these settings may call.
 */
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { databasePort } from '../platform/database/database-port.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import type { Settings } from './settings.ts';

/** A missing key is reported only when it is needed, because most of these commands need none. */
export async function operatorModels(
  settings: Settings,
  databaseUrl: string,
): Promise<ModelGateway> {
  // Nothing is bound here: the address is that of the service, which checks the flag itself.
  const bind = await bindAddress(settings.host, true);
  const servicePort = { host: bind.address, port: settings.port };
  const egress = egressPolicy(settings, bind, [databasePort(databaseUrl), servicePort]);
  return createModelGateway({ egress, providers: settings.modelProviders });
}
