import '../../../kit/styles/organization.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { usePages } from '../../../kit/data/operations.ts';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { AuditFilter } from '../audit-filter.tsx';
import type { AuditSearch } from '../audit-search.ts';
import { auditQuery } from '../audit-search.ts';
import { AuditTable } from '../audit-table.tsx';
import { useAuditExport } from '../data/audit-log.ts';
import { OrganizationFrame } from '../organization-frame.tsx';

const route = '/signed-in/organizations/$organizationId/audit-log';

export function AuditLogPage() {
  const { organizationId } = useParams({ from: route });
  return (
    <OrganizationFrame organizationId={organizationId} title="Audit log">
      {(organization) => <AuditLog organizationId={organization.id} />}
    </OrganizationFrame>
  );
}

function AuditLog({ organizationId }: { organizationId: string }) {
  const search = useSearch({ from: route });
  const navigate = useNavigate();
  const lines = usePages('listAuditLog', { organizationId, ...auditQuery(search) });
  const isEmpty = lines.data?.length === 0;
  const show = (wanted: AuditSearch) =>
    void navigate({
      to: '/organizations/$organizationId/audit-log',
      params: { organizationId },
      search: wanted,
      replace: true,
    });
  return (
    <>
      <AuditFilter key={JSON.stringify(search)} search={search} onSearch={show} />
      <QueryView query={lines}>
        {(data) =>
          isEmpty ? (
            <Empty title="Nothing is recorded here">
              <p>
                {Object.keys(search).length === 0
                  ? 'What members, keys and the operator do is told here.'
                  : 'No line fits this filter.'}
              </p>
            </Empty>
          ) : (
            <AuditTable lines={data} onSearch={show} />
          )
        }
      </QueryView>
      <div className="actions">
        {lines.hasNextPage && (
          <button
            type="button"
            disabled={lines.isFetchingNextPage}
            onClick={() => void lines.fetchNextPage()}
          >
            Show more
          </button>
        )}
        {lines.data !== undefined && !isEmpty && (
          <Export organizationId={organizationId} search={search} />
        )}
      </div>
    </>
  );
}

function Export(props: { organizationId: string; search: AuditSearch }) {
  const file = useAuditExport(props.organizationId, props.search);
  const save = (format: 'csv' | 'jsonl') =>
    file.mutate(format, { onSuccess: (content) => saveFile(content, `audit-log.${format}`) });
  return (
    <>
      <button type="button" disabled={file.isPending} onClick={() => save('csv')}>
        Export CSV
      </button>
      <button type="button" disabled={file.isPending} onClick={() => save('jsonl')}>
        Export JSON lines
      </button>
      <span role="status" className="hint">
        {file.isPending && 'Reading all lines…'}
        {file.error?.message}
      </span>
    </>
  );
}
