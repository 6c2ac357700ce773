import { memo } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { FieldList } from '../../kit/schemas/field-list.tsx';
import type { ReferenceOperation } from './read-reference.ts';

export const OperationReference = memo(function OperationReference(props: {
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
