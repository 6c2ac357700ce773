import '../../../kit/styles/organization.css';
import { readPages } from '@proofmark/client';
import type { AuditLogLine } from '@proofmark/contract';
import {
  type AuditFormat,
  auditActionWords,
  auditCallerWords,
  auditDetailWords,
  auditFileHead,
  auditFileLine,
  cleanText,
} from '@proofmark/domain';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { client } from '../../../kit/data/client.ts';
import { usePages } from '../../../kit/data/operations.ts';
import { InstantText } from '../../../kit/instant-text.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { AuditFilter } from '../audit-filter.tsx';
import { type AuditSearch, auditQuery } from '../audit-search.ts';
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
                  ? 'Actions of members, keys and the operator are listed here.'
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

function AuditTable(props: {
  lines: readonly AuditLogLine[];
  onSearch: (search: AuditSearch) => void;
}) {
  return (
    <table className="audit">
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Actor</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {props.lines.map((line) => (
          <tr key={line.id}>
            <th scope="row">
              {auditActionWords[line.action]}
              {line.subjectName !== undefined && (
                <>
                  {': '}
                  <b>
                    <bdi>{cleanText(line.subjectName, false)}</bdi>
                  </b>
                </>
              )}
              <p className="hint">
                <button
                  type="button"
                  className="link"
                  title={line.subjectId}
                  aria-label={`all actions on it: ${line.subjectName ?? line.subjectId}`}
                  onClick={() => props.onSearch({ resource: line.subjectId })}
                >
                  all actions on it
                </button>
                {detailsOf(line)
                  .filter((word) => !anyId.test(word))
                  .map((word) => (
                    <span key={word}>{word}</span>
                  ))}
              </p>
              <Ids words={detailsOf(line).filter((word) => anyId.test(word))} />
            </th>
            <td data-label="Actor">
              <span>
                {line.actor}
                <span className="tag">{auditCallerWords[line.callerKind]}</span>
              </span>
            </td>
            <td data-label="Time">
              <InstantText atMs={line.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const anyId = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{20,}\b/;

function Ids({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <details className="hint">
      <summary>Details</summary>
      {words.map((word) => (
        <p key={word}>{word}</p>
      ))}
    </details>
  );
}

function detailsOf({ details, projectId, projectName }: AuditLogLine): string[] {
  const words = auditDetailWords(details);
  return projectId === null
    ? words
    : [...words, `in ${cleanText(projectName ?? projectId, false)}`];
}

function useAuditExport(organizationId: string, search: AuditSearch) {
  return useMutation({
    mutationFn: async (format: AuditFormat) => {
      const query = auditQuery(search);
      const parts = [auditFileHead(format)];
      await readPages(async (page) => {
        const read = await client.listAuditLog({ organizationId, ...query, limit: 200, ...page });
        for (const { at, subjectName: _subject, projectName: _project, ...line } of read.items) {
          parts.push(auditFileLine(format, { ...line, organizationId, atMs: at }));
        }
        return { ...read, items: [] };
      });
      return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
    },
  });
}
