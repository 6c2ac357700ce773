import { readPages } from '@proofmark/client';
import { type AuditFormat, auditFileHead, auditFileLine } from '@proofmark/domain';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { type AuditSearch, auditQuery } from '../audit-search.ts';

/** All lines the search finds, as one file. */
export function useAuditExport(organizationId: string, search: AuditSearch) {
  return useMutation({
    mutationFn: async (format: AuditFormat) => {
      const query = auditQuery(search);
      const parts = [auditFileHead(format)];
      await readPages(async (page) => {
        const read = await client.listAuditLog({ organizationId, ...query, limit: 200, ...page });
        for (const { at, ...line } of read.items) {
          parts.push(auditFileLine(format, { ...line, organizationId, atMs: at }));
        }
        return { ...read, items: [] };
      });
      return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
    },
  });
}
