import { dailyLimitNames, defaultSpendingLimits, type SpendingLimits } from '@proofmark/domain';
import { defaultPartModels, type PartModels } from '../features/models/part-models.ts';
import type { Spending } from '../platform/spending/spending.ts';
import { onOff, quota, type Setting, setting, text } from './setting.ts';

export const spendingSettingRows = {
  insightsPerDay: limit('insightsPerDay'),
  journeyRunsPerDay: limit('journeyRunsPerDay'),
  generationsPerDay: limit('generationsPerDay'),
  agentTurnsPerDay: limit('agentTurnsPerDay'),
  creditsPerDay: limit('creditsPerDay'),
  maxPersonasPerProject: limit('maxPersonasPerProject'),
  maxScenariosPerProject: limit('maxScenariosPerProject'),
  brakes: setting({
    environment: ['PROOFMARK_BRAKES'],
    config: 'brakes',
    parse: onOff,
    fallback: true,
  }),
  insightsModel: model('insightsModel', defaultPartModels.insights),
  agentModel: model('agentModel', defaultPartModels.agent),
  generationModel: model('generationModel', defaultPartModels.generation),
  /** There is no judge unless a model is named. */
  judgeModel: setting<string | null>({
    environment: [variable('judgeModel')],
    config: 'judgeModel',
    parse: text,
    fallback: null,
  }),
};

type SpendingSettings = {
  readonly [Name in keyof typeof spendingSettingRows]: (typeof spendingSettingRows)[Name]['fallback'];
};

export function spendingOf(settings: SpendingSettings): Spending {
  const limits = Object.fromEntries(
    [...dailyLimitNames, ...otherLimitNames].map((name) => [name, settings[name]]),
  ) as unknown as SpendingLimits;
  return { limits, brakes: settings.brakes };
}

const otherLimitNames = [
  'creditsPerDay',
  'maxPersonasPerProject',
  'maxScenariosPerProject',
] as const;

export function partModelsOf(settings: SpendingSettings): PartModels {
  const { insightsModel, agentModel, generationModel } = settings;
  return { insights: insightsModel, agent: agentModel, generation: generationModel };
}

function limit(name: keyof SpendingLimits): Setting<number | null> {
  const fallback = defaultSpendingLimits[name];
  return { environment: [variable(name)], config: name, parse: quota, fallback };
}

function model(name: string, fallback: string): Setting<string> {
  return { environment: [variable(name)], config: name, parse: text, fallback };
}

export function variable(name: string): string {
  return `PROOFMARK_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
