/** An answer that is not a success, thrown from anywhere while a request is served. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message what the caller did wrong, naming the parameter; it goes out as it is. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}

/** 400: the request itself is wrong. */
export function createBadRequestError(message: string): HttpError {
  return new HttpError(400, message);
}

/** 404: there is no such thing, or it belongs to another account. */
export function createNotFoundError(message: string): HttpError {
  return new HttpError(404, message);
}
