/** Finds the route of a path. Ignores repeated and trailing slashes. */
import createFindMyWay, { type HTTPMethod } from 'find-my-way';
import type { SandboxEndpoint } from '../endpoints/endpoint.js';

export interface RouteMatch<Target> {
  readonly target: Target;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

const METHODS = ['GET', 'POST'] as const;
const MAX_PARAMETER_LENGTH = 4096;

/** Routes to any target with a method and a path template. Fixed segments take precedence over parameters. */
export function createRouter<Target extends Pick<SandboxEndpoint, 'method' | 'path'>>(
  targets: readonly Target[],
) {
  const routes = createFindMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: MAX_PARAMETER_LENGTH,
  });
  // Converts `/site/{siteId}` to `/site/:siteId`.
  const toRoutePath = (template: string) => template.replace(/\{(\w+)\}/g, ':$1');
  for (const target of targets) routes.on(target.method, toRoutePath(target.path), () => {}, target);
  const lookup = (method: HTTPMethod, path: string) => routes.find(method, path);
  return {
    match(method: string, path: string): RouteMatch<Target> | undefined {
      const supported = METHODS.find((one) => one === (method === 'HEAD' ? 'GET' : method));
      const route = supported && lookup(supported, path);
      return route ? { target: route.store as Target, parameters: route.params } : undefined;
    },
    /** The methods that a path allows; empty for an unknown path. */
    allowedMethods(path: string): string[] {
      const methods: string[] = METHODS.filter((method) => lookup(method, path));
      return methods.length === 0
        ? []
        : [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS'];
    },
  };
}
