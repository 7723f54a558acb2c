/** Adapts GraphiQL's page for keyboards and screen readers. */
import { pick, useGraphiQL, useGraphiQLActions, useMonaco } from '@graphiql/react';
import { useEffect, useLayoutEffect } from 'react';

/** Everything that the page needs besides the views. */
export function usePage(): void {
  useReadableTabs();
  useReadableEditors();
  useRunKey();
  useLeaveKey();
  useDialogFocus();
  usePageWheel();
}

/**
 * GraphiQL declares the items of its tab bar as tabs, with buttons inside, which screen readers then ignore. Without
 * these roles the bar is a list of buttons, of which one is current. Also shows the open tab if the bar is longer than
 * the window.
 */
function useReadableTabs(): void {
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  // Runs after every change of the tabs.
  useLayoutEffect(() => {
    if (tabs.length <= activeTabIndex) return;
    document.querySelector('.graphiql-tabs')?.removeAttribute('role');
    for (const item of document.querySelectorAll('.graphiql-tab')) {
      item.removeAttribute('role');
      item.removeAttribute('aria-selected');
      const isOpen = item.classList.contains('graphiql-tab-active');
      const button = item.querySelector('.graphiql-tab-button');
      button?.setAttribute('aria-current', String(isOpen));
      item.querySelector('.graphiql-tab-close')?.setAttribute('aria-label', `Close ${button?.textContent}`);
    }
    // In a narrow window the bar scrolls.
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tabs, activeTabIndex]);
}

/** Names of the editors, by the files that GraphiQL shows in them. */
const editorNames = {
  'operation.graphql': 'Query',
  'variables.json': 'Variables',
  'request-headers.json': 'Headers',
  'response.json': 'Response',
};

/**
 * Names the editors and their frames. GraphiQL gives all editors the same name, and the frames, which take the focus,
 * neither a name nor a role.
 */
function useReadableEditors(): void {
  const monaco = useMonaco(({ monaco }) => monaco);
  useEffect(() => {
    const addNames = () => {
      for (const editor of monaco?.editor.getEditors() ?? []) {
        const uri = editor.getModel()?.uri.path ?? '';
        const [, ariaLabel] = Object.entries(editorNames).find(([file]) => uri.endsWith(`-${file}`)) ?? [];
        if (ariaLabel === undefined) continue;
        editor.updateOptions({ ariaLabel });
        const frame = editor.getContainerDomNode();
        // The frame of the response is a section with a name.
        if (frame.hasAttribute('aria-label')) continue;
        frame.setAttribute('role', 'group');
        frame.setAttribute('aria-label', ariaLabel);
        frame.setAttribute('aria-description', 'Enter opens the editor, Esc leaves it');
      }
    };
    addNames();
    // An editor gets its text after this event.
    const created = monaco?.editor.onDidCreateEditor(() => queueMicrotask(addNames));
    return () => created?.dispose();
  }, [monaco]);
}

/**
 * Runs the operation on Ctrl-Enter everywhere on the page. GraphiQL handles the key only inside its editors. The views
 * of the response disappear until the next response, so that their frame keeps the focus.
 */
function useRunKey(): void {
  const { run } = useGraphiQLActions();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest('.monaco-editor, dialog, [role="dialog"]')) return;
      event.preventDefault();
      target.closest<HTMLElement>('.fieldgraph-views')?.focus();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [run]);
}

/**
 * Escape leaves an editor, in which Tab indents. The focus goes to the frame of the editor, where GraphiQL enters the
 * editor on Enter, and Tab moves on. An Escape that closes a widget of Monaco or ends a selection does not arrive here.
 */
function useLeaveKey(): void {
  useEffect(() => {
    const onKeyDown = ({ key, target, isComposing }: KeyboardEvent) => {
      if (key !== 'Escape' || isComposing || !(target instanceof Element)) return;
      const frame = target.closest('.monaco-editor') && target.closest<HTMLElement>('.graphiql-editor');
      frame?.focus();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Returns the focus to the element that had it before a dialog. GraphiQL's dialogs would leave it nowhere. */
function useDialogFocus(): void {
  useEffect(() => {
    let opener: EventTarget | null = null;
    const isInDialog = (target: EventTarget | null) =>
      target instanceof Element && target.closest('[role="dialog"]') !== null;
    const onFocusIn = ({ target, relatedTarget }: FocusEvent) => {
      if (isInDialog(target) && !isInDialog(relatedTarget)) opener = relatedTarget;
    };
    // Dialogs are children of the body.
    const removed = new MutationObserver(() => {
      if (document.querySelector('[role="dialog"]') || document.activeElement !== document.body) return;
      if (opener instanceof HTMLElement) opener.focus();
      opener = null;
    });
    window.addEventListener('focusin', onFocusIn);
    removed.observe(document.body, { childList: true });
    return () => {
      window.removeEventListener('focusin', onFocusIn);
      removed.disconnect();
    };
  }, []);
}

/**
 * In a low window the page scrolls. Monaco handles every turn of the wheel above an editor, even if the editor is at
 * its end. This listener hides such turns from Monaco, so that the browser scrolls the page.
 */
function usePageWheel(): void {
  const monaco = useMonaco(({ monaco }) => monaco);
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      const { target, deltaY } = event;
      // Not above a list of suggestions, which scrolls by itself.
      if (!(target instanceof Element) || !target.closest('.editor-scrollable') || deltaY === 0) return;
      const editor = monaco?.editor.getEditors().find((one) => one.getDomNode()?.contains(target));
      if (editor === undefined) return;
      const maxTop = editor.getScrollHeight() - editor.getLayoutInfo().height;
      const canScroll = deltaY < 0 ? editor.getScrollTop() > 0 : editor.getScrollTop() < maxTop;
      if (!canScroll) event.stopPropagation();
    };
    window.addEventListener('wheel', onWheel, { capture: true, passive: true });
    return () => window.removeEventListener('wheel', onWheel, { capture: true });
  }, [monaco]);
}
