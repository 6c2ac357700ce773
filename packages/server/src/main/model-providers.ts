/**
 * Model providers that the operator pays for or runs, from the configuration file. For the key, the
 * file should contain the name of an environment variable; it may also contain the key itself.
 */
import {
  modelProviderKinds,
  ProviderModels,
  ProviderName,
  type ProviderProblem,
  providerProblem,
  RequestsAtOnce,
} from '@proofmark/domain';
import * as z from 'zod';
import type { ModelProvider } from '../outside/model/model-provider.ts';
import { BadSetting } from './setting.ts';

const ConfiguredProvider = z.strictObject({
  name: ProviderName,
  kind: z.enum(modelProviderKinds),
  baseUrl: z
    .string()
    .refine(isPlainHttp, 'baseUrl must be an http or https URL without user name and password.')
    .optional(),
  apiKey: z.string().trim().min(1).optional(),
  apiKeyEnvironment: z.string().trim().min(1).optional(),
  models: ProviderModels.default([]),
  requestsAtOnce: RequestsAtOnce.optional(),
});

export type ConfiguredProvider = z.infer<typeof ConfiguredProvider>;

export function modelProviders(given: unknown, where: string): readonly ConfiguredProvider[] {
  const parsed = z.array(ConfiguredProvider).max(100).safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadSetting(
      `${where}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`,
    );
  }
  const seen = new Set<string>();
  for (const provider of parsed.data) {
    if (seen.has(provider.name)) throw new BadSetting(`${where}: ${provider.name} is named twice.`);
    seen.add(provider.name);
    const fault = faultOf(provider);
    if (fault !== undefined) throw new BadSetting(`${where}: ${provider.name} ${fault}`);
  }
  return parsed.data;
}

export interface KeyedProvider extends ModelProvider {
  /** The name of the environment variable for the API key, if that variable is not set. */
  readonly missingKey?: string;
  readonly keyVariable?: string;
}

export function withKeys(
  providers: readonly ConfiguredProvider[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly KeyedProvider[] {
  return providers.map(({ apiKeyEnvironment, ...provider }) => {
    if (apiKeyEnvironment === undefined) return provider as KeyedProvider;
    const apiKey = environment[apiKeyEnvironment]?.trim() ?? '';
    const key = apiKey === '' ? { missingKey: apiKeyEnvironment } : { apiKey };
    return { ...provider, ...key, keyVariable: apiKeyEnvironment } as KeyedProvider;
  });
}

function faultOf(provider: ConfiguredProvider): string | undefined {
  const { apiKey, apiKeyEnvironment } = provider;
  if (apiKey !== undefined && apiKeyEnvironment !== undefined) {
    return 'has both apiKey and apiKeyEnvironment; keep one.';
  }
  const hasKey = apiKey !== undefined || apiKeyEnvironment !== undefined;
  const problem = providerProblem({ ...provider, hasKey });
  return problem === undefined ? undefined : faultWords(problem);
}

function faultWords(problem: ProviderProblem): string {
  if ('twin' in problem) return `names the model ${problem.twin} twice.`;
  return problem.lacks === 'address'
    ? 'needs a baseUrl.'
    : 'offers models and needs apiKeyEnvironment or apiKey for them.';
}

function isPlainHttp(url: string): boolean {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}
