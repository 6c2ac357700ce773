import { type SavedProvider, savedInForce } from '@proofmark/domain';
import type { ModelGateway, OfferedModels } from '../../../outside/model/model-gateway.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { listProviders } from '../store/model-providers.ts';

/** The returned models need to be closed only if they are called. */
export async function modelsOf<Models extends OfferedModels>(
  sql: Sql,
  { database, models }: { readonly database: Pick<Database, 'vault'>; readonly models: Models },
  organizationId: string | null,
): Promise<{ readonly models: Models | ModelGateway; readonly saved: readonly SavedProvider[] }> {
  const all = await listProviders(sql, database.vault, organizationId);
  const saved = savedInForce(namesInFile(models), all);
  return { models: saved.length === 0 ? models : models.including(saved), saved };
}

export function namesInFile({ configured }: Pick<ModelGateway, 'configured'>): string[] {
  return configured.map(({ name }) => name);
}
