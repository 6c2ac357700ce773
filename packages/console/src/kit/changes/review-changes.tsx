/** Shows what saving would change, before it is saved. */
import type { ReactNode } from 'react';
import { Modal } from '../modal.tsx';
import { ChangeList } from './change-list.tsx';
import { unfolded, type Vocabulary } from './change-words.ts';
import type { Change } from './json-changes.ts';

export function ReviewChanges(props: {
  title: string;
  changes: readonly Change[];
  vocabulary: Vocabulary;
  busy: boolean;
  onSave: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const count = unfolded(props.changes).length;
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <p className="hint">{count === 1 ? '1 change' : `${count} changes`}</p>
      <ChangeList label="Changes" changes={props.changes} vocabulary={props.vocabulary} />
      {props.children}
      <div className="actions">
        <button type="button" className="primary" disabled={props.busy} onClick={props.onSave}>
          Save these changes
        </button>
        <button type="button" onClick={props.onClose}>
          Back to the form
        </button>
      </div>
    </Modal>
  );
}
