import { useState } from 'react';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Modal } from '../../kit/modal.tsx';
import { notify } from '../../kit/notice.tsx';
import type { ChatRead } from './chat-messages.ts';
import { type ChatIds, useChangeChat } from './data/chats.ts';

export function RenameChat({ ids, chat }: { ids: ChatIds; chat: ChatRead }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && (
        <Modal title="Rename this conversation" onClose={close}>
          <RenameForm ids={ids} title={chat.title ?? ''} onClose={close} />
        </Modal>
      )}
    </>
  );
}

function RenameForm(props: { ids: ChatIds; title: string; onClose: () => void }) {
  const [title, setTitle] = useState(props.title);
  const change = useChangeChat(props.ids);
  const onSuccess = () => {
    notify('Renamed.');
    props.onClose();
  };
  return (
    <Form
      label="Rename this conversation"
      problem={change.error?.message}
      attempt={change.error}
      onSubmit={() => change.mutate({ title: title.trim() }, { onSuccess })}
      buttons={
        <>
          <button
            type="submit"
            className="primary"
            disabled={change.isPending || title.trim() === ''}
          >
            Rename
          </button>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
        </>
      }
    >
      <Field label="Title">
        {(control) => (
          <input {...control} value={title} onChange={({ target }) => setTitle(target.value)} />
        )}
      </Field>
    </Form>
  );
}

export function ArchiveChat({ ids, chat }: { ids: ChatIds; chat: ChatRead }) {
  const change = useChangeChat(ids);
  const isArchived = chat.status === 'archived';
  const onSuccess = () => notify(isArchived ? 'It is listed again.' : 'Archived.');
  const onError = (error: Error) => notify(`Nothing was changed: ${error.message}`);
  const status = isArchived ? 'active' : 'archived';
  return (
    <button
      type="button"
      disabled={change.isPending}
      onClick={() => change.mutate({ status }, { onSuccess, onError })}
    >
      {isArchived ? 'Bring back' : 'Archive'}
    </button>
  );
}
