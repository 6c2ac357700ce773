import { invalid } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { enterQuota } from '../../../../platform/spending/enter-quota.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { insertArtifact } from '../../store/reported/artifacts.ts';
import { uploadUrl } from './upload-token.ts';

export const createEvalIngestUploadUrl: Action<'createEvalIngestUploadUrl', EvalsParts> = async (
  context,
  { body },
) => {
  const { project, caller, database } = context;
  if (body.contentType !== undefined && !/^[\x20-\x7e]*$/.test(body.contentType)) {
    refuse(
      invalid('body.contentType', 'contentType must be a media type, such as application/xml.'),
    );
  }
  const ids = {
    organizationId: project.organizationId,
    projectId: project.id,
    artifactId: context.newId('artifact'),
  };
  const { expiresAt } = await context.tenant(async (sql) => {
    // The quota is counted when the file arrives. This early check reports a full quota before the
    // transfer.
    await enterQuota(
      ...([sql, project, context.runLimits.quotas] as const),
      ...(['uploadBytesPerDay', body.sizeBytes ?? 1] as const),
    );
    return insertArtifact(sql, ids, {
      format: body.format ?? null,
      contentType: body.contentType ?? null,
      sizeBytes: body.sizeBytes ?? null,
      createdBy: caller.account.id,
    });
  });
  return {
    ok: true,
    uploadUrl: uploadUrl(context.baseUrl, database.vault, ids),
    artifactId: ids.artifactId,
    expiresAt: expiresAt.getTime(),
  };
};
