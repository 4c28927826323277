// An IndexedDB database that is reopened after the system has closed it. iOS does so to pages in
// the background; the old connection is unusable from then on.

/** Some browsers occasionally never open one. */
const openLimitMilliseconds = 5_000;

/** A database in its first version, for concurrent use. */
export class OpenDatabase {
  /** Null after the system has closed it. */
  private connection: IDBDatabase | null = null;
  private opening: Promise<IDBDatabase> | null = null;
  private isOver = false;

  private constructor(
    private readonly factory: IDBFactory,
    private readonly name: string,
    private readonly make: (database: IDBDatabase) => void,
  ) {}

  /** Opens it; `make` creates its stores on the first visit. */
  static async open(
    factory: IDBFactory, name: string, make: (database: IDBDatabase) => void,
  ): Promise<OpenDatabase> {
    const database = new OpenDatabase(factory, name, make);
    database.opening = database.request(true);
    await database.opening.finally(() => {
      database.opening = null;
    });
    return database;
  }

  /** Starts some work before it returns; repeats it if the system has closed the database. */
  async use<V>(work: (connection: IDBDatabase) => Promise<V>): Promise<V> {
    const connection = this.connection ?? await this.connect();
    try {
      return await work(connection);
    } catch (failure) {
      if (this.isOver || !isOfClosed(failure)) throw failure;
      if (this.connection === connection) this.connection = null;
      connection.close();
      return await work(this.connection ?? await this.connect());
    }
  }

  close(): void {
    this.isOver = true;
    this.connection?.close();
  }

  private connect(): Promise<IDBDatabase> {
    this.opening ??= this.request(false).finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  private request(isFirst: boolean): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const limit = setTimeout(() => {
        isLate = true;
        reject(new Error('The browser does not open its database.'));
      }, openLimitMilliseconds);
      const request = this.factory.open(this.name, 1);
      request.onupgradeneeded = () => {
        if (isFirst) this.make(request.result);
        // The stored data was deleted: a new, empty database must not be taken for the old one.
        else request.transaction?.abort();
      };
      request.onsuccess = () => {
        clearTimeout(limit);
        const connection = request.result;
        if (isLate || this.isOver) {
          connection.close();
          reject(new Error('The database was given up.'));
          return;
        }
        // Another tab with a newer version must not wait for this one, which needs a reload.
        connection.onversionchange = () => this.close();
        connection.onclose = () => {
          if (this.connection === connection) this.connection = null;
        };
        this.connection = connection;
        resolve(connection);
      };
      const fail = (failure: unknown): void => {
        clearTimeout(limit);
        isLate = true;
        reject(failure);
      };
      request.onerror = () => fail(request.error ?? new Error('The database cannot be opened.'));
      request.onblocked = () => fail(new Error('Another tab keeps the database closed.'));
    });
  }
}

/**
 * The errors of a closed connection; WebKit reports an unknown error if its own process is gone.
 */
function isOfClosed(failure: unknown): boolean {
  return failure instanceof DOMException && ['InvalidStateError', 'UnknownError'].includes(failure.name);
}
