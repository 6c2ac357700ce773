/**
 * A project's sealed secret for signing requests to own scorers (an organization's HTTP programs
 * that score trials). A project has at most one.
 */
import { randomBytes } from 'node:crypto';
import type { Sql } from '../../../platform/database/database.ts';
import type { SealedField, Vault } from '../../../platform/vault/vault.ts';

interface ProjectOfSecret {
  readonly id: string;
  readonly organizationId: string;
}

export const scorerSecretField = ({ id, organizationId }: ProjectOfSecret): SealedField => ({
  organizationId,
  rowId: id,
  field: 'scorerSecret',
});

/** Returns the creation time of the current secret, or null without a secret. */
export async function readScorerSecretAge(sql: Sql, projectId: string): Promise<Date | null> {
  const [row] = await sql<{ scorerSecretMadeAt: Date | null }[]>`
    select scorer_secret_made_at from projects where id = ${projectId}`;
  return row?.scorerSecretMadeAt ?? null;
}

export async function openScorerSecret(
  sql: Sql,
  vault: Vault,
  project: ProjectOfSecret,
): Promise<string | undefined> {
  const [row] = await sql<{ sealedScorerSecret: Buffer | null }[]>`
    select sealed_scorer_secret from projects where id = ${project.id}`;
  const sealed = row?.sealedScorerSecret ?? null;
  return sealed === null ? undefined : vault.open(sealed, scorerSecretField(project));
}

/**
 * Replaces the secret; later requests are signed only with the new one. Returns undefined if the
 * project no longer exists.
 */
export async function replaceScorerSecret(
  sql: Sql,
  vault: Vault,
  project: ProjectOfSecret,
): Promise<{ readonly secret: string; readonly madeAt: Date } | undefined> {
  const secret = `scs_${randomBytes(32).toString('base64url')}`;
  const [row] = await sql<{ scorerSecretMadeAt: Date }[]>`
    update projects set sealed_scorer_secret = ${vault.seal(secret, scorerSecretField(project))},
      scorer_secret_made_at = clock_timestamp()
    where id = ${project.id} returning scorer_secret_made_at`;
  return row && { secret, madeAt: row.scorerSecretMadeAt };
}
