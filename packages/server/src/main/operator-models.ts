/**
 * Creates the models for a command of the operator: those of the configuration file. They can call
 * only addresses that the service with these settings may call.
 */
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { databasePort } from '../platform/database/database-port.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import type { Settings } from './settings.ts';

/**
 * A missing key is reported only when a model is called, because most of these commands call none.
 */
export async function operatorModels(
  settings: Settings,
  databaseUrl: string,
): Promise<ModelGateway> {
  // This process does not listen. The address is needed to recognize the service's own port. The
  // service itself checks the flag for all interfaces, so `true` is passed here.
  const bind = await bindAddress(settings.host, true);
  const servicePort = { host: bind.address, port: settings.port };
  const egress = egressPolicy(settings, bind, [databasePort(databaseUrl), servicePort]);
  return createModelGateway({ egress, providers: settings.modelProviders });
}
