import '../../../kit/styles/reference.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { CopyText } from '../../../kit/copy-text.tsx';
import { FilterBox } from '../../../kit/filter-box.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import type { ApiDocument } from '../../../kit/schemas/api-document.ts';
import { FieldList } from '../../../kit/schemas/field-list.tsx';
import {
  filterReference,
  type ReferenceGroup,
  type ReferenceOperation,
  readReference,
} from '../read-reference.ts';

export function ReferencePage() {
  const document = useApiDocument();
  return (
    <PageFrame
      title="API reference"
      intro={document.data && `${document.data.info.description ?? ''}`}
      actions={<a href="/api/v1/openapi.json">OpenAPI document</a>}
    >
      <QueryView query={document}>{(data) => <Reference document={data} />}</QueryView>
    </PageFrame>
  );
}

function Reference(props: { document: ApiDocument }) {
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const groups = useMemo(
    () => readReference(props.document, window.location.origin),
    [props.document],
  );
  const shown = useMemo(() => filterReference(groups, wanted), [groups, wanted]);
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    return hash === '' ? undefined : keepInView(hash);
  }, [hash]);
  return (
    <div className="reference">
      <div className="reference-side">
        <FilterBox
          label="Filter operations"
          value={filter}
          found={`${count(shown)} of ${count(groups)}`}
          onChange={setFilter}
        />
        <SideList groups={shown} />
      </div>
      <div className="reference-body">
        {shown.length === 0 && <p>No operation matches “{wanted}”.</p>}
        {shown.map((group) => (
          <section key={group.tag} aria-label={group.tag}>
            <h2>{group.tag}</h2>
            <p className="hint">{group.description}</p>
            {group.operations.map((operation) => (
              <OperationReference key={operation.id} operation={operation} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function SideList(props: { groups: readonly ReferenceGroup[] }) {
  return (
    <nav aria-label="Operations">
      {props.groups.map((group) => (
        <div key={group.tag}>
          <p>{group.tag}</p>
          <ul>
            {group.operations.map((operation) => (
              <li key={operation.id}>
                <Link to="/reference" hash={operation.id} activeOptions={{ includeHash: true }}>
                  {operation.summary}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/**
 * Scrolls to a section. This is repeated for some frames, because sections get their full height
 * only when they become visible.
 */
function keepInView(id: string): () => void {
  let frames = 0;
  let next = 0;
  const look = () => {
    document.getElementById(id)?.scrollIntoView();
    frames += 1;
    if (frames < 4) next = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(next);
}

function count(groups: readonly ReferenceGroup[]): number {
  return groups.reduce((sum, group) => sum + group.operations.length, 0);
}

const OperationReference = memo(function OperationReference(props: {
  operation: ReferenceOperation;
}) {
  const { operation } = props;
  return (
    <article id={operation.id} aria-labelledby={`${operation.id}-title`}>
      <h3 id={`${operation.id}-title`}>
        {operation.summary}
        <a href={`#${operation.id}`} className="anchor" aria-label={`Link to ${operation.summary}`}>
          #
        </a>
      </h3>
      <p className="operation-line">
        <code className="method">{operation.method}</code> <code>{operation.path}</code>
        {operation.deprecated && <span className="tag">deprecated</span>}
      </p>
      {operation.description !== '' && <p>{operation.description}</p>}
      <CopyText block text={operation.curl} label={`Copy curl for ${operation.summary}`} />
      <FieldList title="Parameters" fields={operation.parameters} />
      {operation.request !== undefined && (
        <FieldList
          title="Request"
          description={operation.request.description}
          fields={operation.request.fields}
        />
      )}
      {operation.answer !== undefined && (
        <FieldList
          title={`Answer ${operation.answer.status}`}
          fields={operation.answer.fields}
          plain
        />
      )}
      <details>
        <summary className="unfold-title">
          Errors: {operation.errors.map(({ status }) => status).join(', ')}
        </summary>
        <dl className="errors">
          {operation.errors.map(({ status, sentences }) => (
            <div key={status}>
              <dt>{status}</dt>
              {sentences.map((sentence) => (
                <dd key={sentence}>{sentence}</dd>
              ))}
            </div>
          ))}
        </dl>
      </details>
    </article>
  );
});

/** The API document is public, so the reference can be read without signing in. */
function useApiDocument() {
  return useQuery({
    queryKey: ['api-document'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<ApiDocument> => {
      const response = await fetch('/api/v1/openapi.json', { signal });
      if (!response.ok) throw new Error(`The API document could not be read (${response.status}).`);
      return (await response.json()) as ApiDocument;
    },
  });
}
