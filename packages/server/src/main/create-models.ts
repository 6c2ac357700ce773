import type { EgressPolicy } from '../outside/egress/address-policy.ts';
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

/**
 * Creates the models of a process that runs trials. A missing key is an error only here, because
 * other processes do not use the keys.
 */
export function createModels(
  settings: Pick<Settings, 'modelProviders'>,
  egress: EgressPolicy,
): ModelGateway {
  for (const { name, missingKey } of settings.modelProviders) {
    if (missingKey === undefined) continue;
    throw new BadSetting(
      `modelProviders: ${name} takes its key from ${missingKey}, which is not set.`,
    );
  }
  return createModelGateway({ egress, providers: settings.modelProviders });
}
