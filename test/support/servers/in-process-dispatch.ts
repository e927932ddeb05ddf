import { Agent, type Dispatcher, errors, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { type Answer, bodyOf, type Call, type NodeResponse } from '#test/support/nodes/json-rpc-server.ts';

type Dispatch = Dispatcher['dispatch'];

/** Routes undici requests to `dispatch` until disposed. */
export function dispatchBy(dispatch: Dispatch): Disposable {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(new Agent().compose(() => dispatch));
  return { [Symbol.dispose]: () => setGlobalDispatcher(before) };
}

/** Routes all requests to one URL until disposed. */
export function leadAllTo(url: string): Disposable {
  const { origin, pathname: path } = new URL(url);
  const network = getGlobalDispatcher();
  return dispatchBy((options, handler) => network.dispatch({ ...options, origin, path }, handler));
}

/**
 * Serves JSON-RPC in process, without sockets, with the errors of undici.
 * @param answerFor returns the server of a URL; other hosts are not found
 */
export const dispatchFrom =
  (answerFor: (url: URL) => Answer | undefined): Dispatch =>
  ({ origin, path, body }, handler) => {
    const controller = controllerOf(handler);
    const serve = async () => {
      const answer = answerFor(new URL(path, origin));
      if (!answer) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
      handler.onRequestStart?.(controller, {});
      // A GET has no body.
      const call: Call =
        typeof body === 'string' ? JSON.parse(body) : { id: null, method: 'GET', params: [path] };
      const scripted = await answer(call);
      if (!controller.aborted) respond(call, scripted, controller, handler);
    };
    serve().catch((error) => controller.abort(error));
    return true;
  };

function controllerOf(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchController {
  const controller = {
    aborted: false,
    reason: null as Error | null,
    paused: false,
    pause: () => {},
    resume: () => {},
    abort: (reason: Error) => {
      if (controller.aborted) return;
      Object.assign(controller, { aborted: true, reason });
      handler.onResponseError?.(controller, reason);
    },
  };
  return controller;
}

function respond(
  call: Call,
  scripted: NodeResponse,
  controller: Dispatcher.DispatchController,
  handler: Dispatcher.DispatchHandler,
): void {
  if ('hang' in scripted) return;
  if ('hangUp' in scripted) throw new errors.SocketError('other side closed');
  const { status, headers, body } = responseTo(call, scripted);
  handler.onResponseStart?.(controller, status, headers);
  handler.onResponseData?.(controller, Buffer.from(body));
  if ('cutOff' in scripted) throw new errors.SocketError('other side closed');
  handler.onResponseEnd?.(controller, {});
}

function responseTo(call: Call, scripted: Exclude<NodeResponse, { hang: true } | { hangUp: true }>) {
  if ('cutOff' in scripted) return { status: 200, headers: {}, body: scripted.cutOff };
  if ('status' in scripted)
    return { status: scripted.status, headers: lowerCased(scripted.headers), body: scripted.body };
  return { status: 200, headers: {}, body: bodyOf(call, scripted) };
}

const lowerCased = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
