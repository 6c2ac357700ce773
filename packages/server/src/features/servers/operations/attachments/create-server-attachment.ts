import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { nameTaken } from '../../../../platform/operations/name-taken.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseFirstMissing } from '../../../../platform/operations/refuse-missing.ts';
import { insertServerAttachment } from '../../store/server-attachments.ts';
import { listNamedServers } from '../../store/server-names.ts';
import { findServerAttachment } from './find-server-attachment.ts';
import { presentServerAttachment } from './present-server-attachment.ts';

export const createServerAttachment: Action<'createServerAttachment'> = async (
  context,
  { body },
) => {
  const { project } = context;
  const id = context.newId('serverAttachment');
  return context.tenant(async (sql) => {
    const servers = await listNamedServers(sql, project.id, body.serverIds, 'forKeyShare');
    const known = new Set(servers.map((server) => server.id));
    refuseFirstMissing('server', 'body.serverIds', body.serverIds, known);
    const inserted = await insertServerAttachment(sql, project.organizationId, {
      id,
      projectId: project.id,
      name: body.name,
      serverIds: [...new Set(body.serverIds)],
    });
    if (inserted === 'nameTaken') refuse(nameTaken('server group'));
    await recordAudit(sql, context, {
      action: 'serverAttachment.created',
      subjectId: id,
      details: { fields: Object.keys(body) },
    });
    return presentServerAttachment(await findServerAttachment(sql, project.id, id));
  });
};
