/** The models as a command of the operator sees them: the file, and what the service of these settings may call. */
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { databasePort } from '../platform/database/database-port.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import type { Settings } from './settings.ts';

/** A key that is not set is told when it is needed: most of what is asked here needs none. */
export async function operatorModels(
  settings: Settings,
  databaseUrl: string,
): Promise<ModelGateway> {
  // Nothing is bound here: the address is that of the service, which says by its flag that it is meant.
  const bind = await bindAddress(settings.host, true);
  const servicePort = { host: bind.address, port: settings.port };
  const egress = egressPolicy(settings, bind, [databasePort(databaseUrl), servicePort]);
  return createModelGateway({ egress, providers: settings.modelProviders });
}
