import type { AuditLogLine } from '@proofmark/contract';
import { auditActionWords, auditCallerWords, auditDetailWords } from '@proofmark/domain';
import { InstantText } from '../../kit/instant-text.tsx';
import type { AuditSearch } from './audit-search.ts';

export function AuditTable(props: {
  lines: readonly AuditLogLine[];
  onSearch: (search: AuditSearch) => void;
}) {
  return (
    <table className="audit">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Who</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {props.lines.map((line) => (
          <tr key={line.id}>
            <th scope="row">
              {auditActionWords[line.action]}
              <p className="hint">
                <button
                  type="button"
                  className="link code"
                  aria-label={`Show all about ${line.subjectId}`}
                  onClick={() => props.onSearch({ resource: line.subjectId })}
                >
                  {line.subjectId}
                </button>
                {detailsOf(line).map((word) => (
                  <span key={word}>{word}</span>
                ))}
              </p>
            </th>
            <td data-label="Who">
              <span>
                {line.actor}
                <span className="tag">{auditCallerWords[line.callerKind]}</span>
              </span>
            </td>
            <td data-label="When">
              <InstantText atMs={line.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function detailsOf({ details, projectId }: AuditLogLine): string[] {
  const words = auditDetailWords(details);
  return projectId === null ? words : [...words, `in ${projectId}`];
}
