import {
  changedProviderFields,
  editProvider,
  invalid,
  type ProviderDefinition,
  type ProviderEdit,
  ProviderName,
  type Refusal,
  type SavedProvider,
} from '@proofmark/domain';
import { type AuditActor, insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import {
  deleteProvider,
  findProvider,
  insertProvider,
  replaceProvider,
} from '../store/model-providers.ts';

export interface ProviderWriter {
  readonly sql: Sql;
  readonly vault: Database['vault'];
  readonly actor: AuditActor;
  /** Null for providers of the operator. */
  readonly organizationId: string | null;
  readonly name: string;
}

/**
 * `edit` gets the stored provider and returns the changed one. Both `edit` and `check`, which gets
 * the result, may reject the change.
 */
export async function writeProvider(
  writer: ProviderWriter,
  id: string,
  edit: (stored: SavedProvider | undefined) => ProviderEdit | Promise<ProviderEdit>,
  check: (definition: ProviderDefinition) => void = () => undefined,
): Promise<SavedProvider> {
  const { sql, vault } = writer;
  const name = ProviderName.safeParse(writer.name);
  if (!name.success) {
    const message = name.error.issues[0]?.message ?? 'This name is not valid.';
    refuse(invalid('params.providerName', message));
  }
  const stored = await findProvider(sql, vault, writer, 'forUpdate');
  const edited = editProvider(stored, await edit(stored));
  if ('refusal' in edited) return refuse(edited.refusal);
  const { definition } = edited;
  check(definition);
  const fields = changedProviderFields(stored, definition);
  if (stored === undefined) {
    if (!(await insertProvider(sql, vault, { ...writer, id }, definition)))
      refuse(changedMeanwhile);
    await recordChange(writer, 'modelProvider.created', id);
  } else if (fields.length > 0) {
    await replaceProvider(sql, vault, stored, definition);
    await recordChange(writer, 'modelProvider.updated', stored.id, fields);
  }
  const written = await findProvider(sql, vault, writer);
  if (written === undefined)
    throw new Error('Internal fault: the provider was stored but could not be read back.');
  return written;
}

/** Returns false if no provider has this name. */
export async function removeProvider(writer: ProviderWriter): Promise<boolean> {
  const id = await deleteProvider(writer.sql, writer);
  if (id === undefined) return false;
  await recordChange(writer, 'modelProvider.deleted', id);
  return true;
}

export const changedMeanwhile: Refusal = {
  code: 'CONFLICT',
  message: 'This provider was changed or deleted after you read it; read it again.',
  details: { reason: 'PROVIDER_CHANGED' },
};

async function recordChange(
  { sql, actor, organizationId, name }: ProviderWriter,
  action: 'modelProvider.created' | 'modelProvider.updated' | 'modelProvider.deleted',
  subjectId: string,
  fields?: readonly string[],
): Promise<void> {
  const details = { provider: name, ...(fields !== undefined && { fields }) };
  const line = { organizationId, projectId: null, subjectId, details };
  await insertAuditLine(sql, { ...actor, ...line, action });
}
