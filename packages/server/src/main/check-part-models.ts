/** A part that is to ask a model nobody offers would fail with every request, so it stops the start. */
import type { ModelOffer } from '@proofmark/domain';
import { defaultPartModels } from '../actions/spending/part-models.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export function checkPartModels(
  settings: Pick<Settings, 'agentModel' | 'generationModel' | 'insightsModel'>,
  { hosted }: ModelOffer,
): void {
  const parts = [
    { name: 'insightsModel', builtIn: [defaultPartModels.insights, 'off'] },
    { name: 'agentModel', builtIn: [defaultPartModels.agent, 'off'] },
    { name: 'generationModel', builtIn: [defaultPartModels.generation] },
  ] as const;
  for (const { name, builtIn } of parts) {
    const model = settings[name];
    const known = [...builtIn, ...hosted.map(({ id }) => id)];
    if (!known.includes(model)) {
      throw new BadSetting(`${name} is ${model}, which is none of ${known.join(', ')}.`);
    }
  }
}
