-- The library of v15.sql, as a server with schema 16 took it over, with a pairing code that was used, a challenge
-- that was answered, and the secret that challenges are made with.
BEGIN TRANSACTION;
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  person TEXT NOT NULL,
  name TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER,
  UNIQUE (issuer, subject)
) STRICT, WITHOUT ROWID;
INSERT INTO "account" VALUES('0193a5b0-0000-7000-8000-00000000f00b','https://id.school.example','248289761001','0193a5b0-0000-7000-8000-00000000f006','ana@school.example',1795601000000,NULL);
CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "counter" VALUES('choreographyFrom',1795600900000);
INSERT INTO "counter" VALUES('clock',117676507136000000);
INSERT INTO "counter" VALUES('clockBelieved',1795600836568);
INSERT INTO "counter" VALUES('library',8267925370724131997);
INSERT INTO "counter" VALUES('lineage',8267925370724131997);
INSERT INTO "counter" VALUES('purged',29);
INSERT INTO "counter" VALUES('seq',37);
CREATE TABLE device (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  tokenHash TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  lastSeenAt INTEGER NOT NULL
, invitedBy TEXT, person TEXT, endsAt INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO "device" VALUES('0193a5b0-0000-7000-8000-000000010009','Phone','1f825aa2f0020ef7cf91dfa30da4668d791c5d4824fc8e41354b89ec05795ab3',1700000000009,1700000000009,NULL,NULL,NULL);
INSERT INTO "device" VALUES('0193a5b0-0000-7000-8000-000000010010','Laptop','5eec0dc419aa8337bf725f026fda9c78c1cb1c642eeaff9d6e1112f37783e942',1700000000010,1700000000010,'0193a5b0-0000-7000-8000-000000010009',NULL,NULL);
INSERT INTO "device" VALUES('0193a5b0-0000-7000-8000-000000010011','Ana''s phone','9eec0dc419aa8337bf725f026fda9c78c1cb1c642eeaff9d6e1112f37783e942',1795600900000,1795600900000,NULL,'0193a5b0-0000-7000-8000-00000000f006',1795644100000);
CREATE TABLE earlier (
  type TEXT NOT NULL,
  record TEXT NOT NULL,
  field TEXT NOT NULL,
  stamp TEXT NOT NULL,
  value TEXT NOT NULL,
  replacer TEXT NOT NULL,
  replacedAt INTEGER NOT NULL,
  isLate INTEGER NOT NULL,
  keptAt INTEGER NOT NULL,
  PRIMARY KEY (type, record, field, stamp)
) STRICT, WITHOUT ROWID;
INSERT INTO "earlier" VALUES('move','0193a5b0-0000-7000-8000-000000010004','notes','1700000000004-0000-0000abcd','left
right','0000abcd',1700000000005,0,1795287219736);
INSERT INTO "earlier" VALUES('move','0193a5b0-0000-7000-8000-000000010004','startCount','1700000000004-0000-0000abcd','8.5','0000abcd',1795600900000,0,1795600900000);
CREATE TABLE job (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  message TEXT,
  subject TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  endedAt INTEGER
, server INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO "job" VALUES('01a1ff74-f5bd-7d07-8304-bb5ae0294117','import','done',NULL,'01a1ff74-f5bd-7500-a494-ed3587da6334',1795287217597,1795287219577,NULL);
INSERT INTO "job" VALUES('01a1ff74-fd78-7d43-8ea9-c4b32a220c03','analyse','done',NULL,'01a1ff74-f5bd-7500-a494-ed3587da6334',1795287219577,1795287220686,NULL);
INSERT INTO "job" VALUES('d32811de-7b1f-4b9b-884d-955a41df609b','convert','done',NULL,'01a20b15-1d38-7152-9cad-bb208870f19c',1795482262840,1795482264188,NULL);
CREATE TABLE link (
  id TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  salt TEXT NOT NULL,
  tokenHash TEXT NOT NULL UNIQUE,
  passcodeHash TEXT,
  routine TEXT NOT NULL,
  part TEXT,
  startFrame INTEGER,
  endFrame INTEGER,
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL,
  isOver INTEGER NOT NULL,
  openings INTEGER NOT NULL,
  lastOpenedAt INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO "link" VALUES('0193a5b0-0000-7000-8000-00000000f004','l2mbfMCg7YO3iyAC8OVwRu5WG-aUK-wlb-IBq7pVKp4','K8mQBZRzRI5uvUQqoWv6oFZ6wD3QlIdr2x_YNKvkLB4','4d40acefa9dc2bc34e96349e33d96d90e622e23d1e8218563c99ffb9bec514df',NULL,'0193a5b0-0000-7000-8000-000000010001',NULL,NULL,NULL,1795600000000,1798192000000,0,0,NULL);
INSERT INTO "link" VALUES('0193a5b0-0000-7000-8000-00000000f005','WxFhjC5EAnh30M0JIe0Wa58Xb1BYf8kedTTdKUbbd9Y','3JDPB96QfMxkY2zt2zjlUqGg2YR0Ox82pEe3OHcBLDk','f967ab278e7d7e31a46e3d0c5c949664684a475f097437942739eb4d73b65329','$y$j9T$WfUq1wqLqQd0zJ1d0yN8r1$zzd/nszGUjb/EUAWhOT8ZP0WOwbk/zQ6r7t7vKVy8S8','0193a5b0-0000-7000-8000-000000010001','0193a5b0-0000-7000-8000-000000010002',480000,960000,1795600000001,1795686400001,1,3,1795610000000);
CREATE TABLE member (
  troupe TEXT NOT NULL,
  person TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'teacher', 'performer')), since INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (troupe, person)
) STRICT, WITHOUT ROWID;
INSERT INTO "member" VALUES('0193a5b0-0000-7000-8000-00000000f007','0193a5b0-0000-7000-8000-00000000f006','performer',0);
INSERT INTO "member" VALUES('0193a5b0-0000-7000-8000-00000000f007','owner','owner',0);
CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  name TEXT NOT NULL,
  site TEXT NOT NULL,
  publicKey TEXT NOT NULL,
  algorithm INTEGER NOT NULL,
  counter INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO "passkey" VALUES('cGFzc2tleQ','0193a5b0-0000-7000-8000-00000000f006','Phone','studio.example','MFkw',-7,0,1795600900000,NULL);
CREATE TABLE password (
  person TEXT PRIMARY KEY,
  login TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  changedAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "password" VALUES('0193a5b0-0000-7000-8000-00000000f006','ana','$y$j9T$fixture.salt.0123456789$ab0123456789abcdefghijklmnopqrstuvwxyz01234',1795600900000);
CREATE TABLE person (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  colour TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  anewFrom INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO "person" VALUES('0193a5b0-0000-7000-8000-00000000f006','Ana "A"','#248f36',1795600900000,36);
INSERT INTO "person" VALUES('owner','Studio','#8863de',0,0);
CREATE TABLE personal (
  person TEXT NOT NULL,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  deletedAt INTEGER,
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  stamps TEXT NOT NULL CHECK (json_valid(stamps)),
  PRIMARY KEY (person, type, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "personal" VALUES('0193a5b0-0000-7000-8000-00000000f006','setting','theme',35,1795600900000,NULL,'{"value":"light"}','{"value":"1795600900000-0000-0000abce"}');
CREATE TABLE push (
  device TEXT PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL UNIQUE,
  publicKey TEXT NOT NULL,
  authentication TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('mentions', 'all')),
  language TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "push" VALUES('0193a5b0-0000-7000-8000-000000010011','https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn','BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4','BTBZMqHH6r4Tts7J_aSIgg','mentions','es');
CREATE TABLE record (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  deletedAt INTEGER,
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  stamps TEXT NOT NULL CHECK (json_valid(stamps)), space TEXT NOT NULL DEFAULT 'owner',
  PRIMARY KEY (type, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "record" VALUES('comment','0193a5b0-0000-7000-8000-00000000f00a',37,1795601000000,NULL,'{"arrived":37,"author":"0193a5b0-0000-7000-8000-00000000f006","mentions":"owner","part":"0193a5b0-0000-7000-8000-000000010002","routine":"0193a5b0-0000-7000-8000-000000010001","startFrame":4800,"text":"From the top,\nplease."}','{"arrived":"1795601000000-0000-0000f000","author":"1795601000000-0000-0000f000","mentions":"1795601000000-0000-0000f000","part":"1795601000000-0000-0000f000","routine":"1795601000000-0000-0000f000","startFrame":"1795601000000-0000-0000f000","text":"1795601000000-0000-0000f000"}','owner');
INSERT INTO "record" VALUES('gridCorrection','0193a5b0-0000-7000-8000-00000000f001',32,1795600000000,NULL,'{"kind":"one","order":1795600000000,"startFrame":96000,"track":"01a1ff74-f5bd-7500-a494-ed3587da6334"}','{"kind":"1795600000000-0000-0000f000","order":"1795600000000-0000-0000f000","startFrame":"1795600000000-0000-0000f000","track":"1795600000000-0000-0000f000"}','owner');
INSERT INTO "record" VALUES('gridCorrection','0193a5b0-0000-7000-8000-00000000f002',33,1795600000000,NULL,'{"endFrame":90001,"kind":"taps","order":1795600000001,"startFrame":0,"taps":"0 30000 60010 90000","track":"01a1ff74-f5bd-7500-a494-ed3587da6334"}','{"endFrame":"1795600000000-0000-0000f000","kind":"1795600000000-0000-0000f000","order":"1795600000000-0000-0000f000","startFrame":"1795600000000-0000-0000f000","taps":"1795600000000-0000-0000f000","track":"1795600000000-0000-0000f000"}','owner');
INSERT INTO "record" VALUES('move','0193a5b0-0000-7000-8000-000000010004',27,1700000000004,NULL,'{"moveType":"0193a5b0-0000-7000-8000-000000010003","notes":"left, then right","part":"0193a5b0-0000-7000-8000-000000010002","position":"a","title":"Turn"}','{"moveType":"1700000000004-0000-0000abcd","notes":"1700000000005-0000-0000abcd","part":"1700000000004-0000-0000abcd","position":"1700000000004-0000-0000abcd","title":"1700000000004-0000-0000abcd"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7018-a6e9-201c44dd4a63',13,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-76ef-915d-f67bca6e3929","notes":"One count only.","part":"01a1ff74-f5c9-7e95-a6cd-70260dbffbb4","position":"Y","title":"Look over the shoulder"}','{"moveType":"1795287217609-0008-7f7d211d","notes":"1795287217609-0008-7f7d211d","part":"1795287217609-0008-7f7d211d","position":"1795287217609-0008-7f7d211d","title":"1795287217609-0008-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7251-80fa-aac49434c02b',8,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-76ef-915d-f67bca6e3929","notes":"Hold until the bass comes in.","part":"01a1ff74-f5c9-7ecf-98ee-4d38ed209639","position":"W","title":"Lift the lantern"}','{"moveType":"1795287217609-0003-7f7d211d","notes":"1795287217609-0003-7f7d211d","part":"1795287217609-0003-7f7d211d","position":"1795287217609-0003-7f7d211d","title":"1795287217609-0003-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-725f-be43-9b8cdfa33706',16,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-72ed-93ec-ed70991681a7","notes":"Spot the lantern.","part":"01a1ff74-f5c9-7863-bba4-2cb301d69afd","position":"W","title":"Double turn"}','{"moveType":"1795287217609-000b-7f7d211d","notes":"1795287217609-000b-7f7d211d","part":"1795287217609-000b-7f7d211d","position":"1795287217609-000b-7f7d211d","title":"1795287217609-000b-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-735c-b244-fb6773ab28c3',20,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-79ad-999d-9f6780ae9c02","notes":"Smaller with each bar.","part":"01a1ff74-f5c9-70a8-8c84-c996fd3aa5fe","position":"V","title":"Walk the circle"}','{"moveType":"1795287217609-000f-7f7d211d","notes":"1795287217609-000f-7f7d211d","part":"1795287217609-000f-7f7d211d","position":"1795287217609-000f-7f7d211d","title":"1795287217609-000f-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-73e0-8da1-7aa75a360c7f',21,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-72ed-93ec-ed70991681a7","part":"01a1ff74-f5c9-70a8-8c84-c996fd3aa5fe","position":"W","title":"Last turn"}','{"moveType":"1795287217609-0010-7f7d211d","notes":"1795287217609-0010-7f7d211d","part":"1795287217609-0010-7f7d211d","position":"1795287217609-0010-7f7d211d","title":"1795287217609-0010-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-74e2-a758-6a75896cb0f6',18,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-72ed-93ec-ed70991681a7","part":"01a1ff74-f5c9-7863-bba4-2cb301d69afd","position":"Y","title":"Double turn back"}','{"moveType":"1795287217609-000d-7f7d211d","notes":"1795287217609-000d-7f7d211d","part":"1795287217609-000d-7f7d211d","position":"1795287217609-000d-7f7d211d","title":"1795287217609-000d-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7639-9eac-323850ba31aa',7,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-79ad-999d-9f6780ae9c02","notes":"Eight slow counts, eyes on the far corner.","part":"01a1ff74-f5c9-7ecf-98ee-4d38ed209639","position":"V","title":"Walk in from the left"}','{"moveType":"1795287217609-0002-7f7d211d","notes":"1795287217609-0002-7f7d211d","part":"1795287217609-0002-7f7d211d","position":"1795287217609-0002-7f7d211d","title":"1795287217609-0002-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7775-8f47-da7985c3c14d',17,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-79ad-999d-9f6780ae9c02","part":"01a1ff74-f5c9-7863-bba4-2cb301d69afd","position":"X","title":"Slide to the right"}','{"moveType":"1795287217609-000c-7f7d211d","notes":"1795287217609-000c-7f7d211d","part":"1795287217609-000c-7f7d211d","position":"1795287217609-000c-7f7d211d","title":"1795287217609-000c-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7a8c-9cae-afe69e688833',10,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-79ad-999d-9f6780ae9c02","part":"01a1ff74-f5c9-7e95-a6cd-70260dbffbb4","position":"V","title":"Side step, side step"}','{"moveType":"1795287217609-0005-7f7d211d","notes":"1795287217609-0005-7f7d211d","part":"1795287217609-0005-7f7d211d","position":"1795287217609-0005-7f7d211d","title":"1795287217609-0005-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7c12-9026-683c64a02143',15,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-79ad-999d-9f6780ae9c02","notes":"Land softly, knees over the toes.","part":"01a1ff74-f5c9-7863-bba4-2cb301d69afd","position":"V","title":"Big jump on the one"}','{"moveType":"1795287217609-000a-7f7d211d","notes":"1795287217609-000a-7f7d211d","part":"1795287217609-000a-7f7d211d","position":"1795287217609-000a-7f7d211d","title":"1795287217609-000a-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7c31-966d-5f689d72597b',12,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-79ad-999d-9f6780ae9c02","part":"01a1ff74-f5c9-7e95-a6cd-70260dbffbb4","position":"X","title":"Three steps forward"}','{"moveType":"1795287217609-0007-7f7d211d","notes":"1795287217609-0007-7f7d211d","part":"1795287217609-0007-7f7d211d","position":"1795287217609-0007-7f7d211d","title":"1795287217609-0007-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7cd4-9796-f944630d99f6',22,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-76ef-915d-f67bca6e3929","notes":"Stay until the last chord has gone.","part":"01a1ff74-f5c9-70a8-8c84-c996fd3aa5fe","position":"X","title":"Put the lantern down"}','{"moveType":"1795287217609-0011-7f7d211d","notes":"1795287217609-0011-7f7d211d","part":"1795287217609-0011-7f7d211d","position":"1795287217609-0011-7f7d211d","title":"1795287217609-0011-7f7d211d"}','owner');
INSERT INTO "record" VALUES('move','01a1ff74-f5c9-7d5e-a345-3c6801265687',11,1795287217609,NULL,'{"moveType":"01a1ff74-f5c5-72ed-93ec-ed70991681a7","notes":"Weight on the right foot before turning.","part":"01a1ff74-f5c9-7e95-a6cd-70260dbffbb4","position":"W","title":"Half turn to the back"}','{"moveType":"1795287217609-0006-7f7d211d","notes":"1795287217609-0006-7f7d211d","part":"1795287217609-0006-7f7d211d","position":"1795287217609-0006-7f7d211d","title":"1795287217609-0006-7f7d211d"}','owner');
INSERT INTO "record" VALUES('moveType','0193a5b0-0000-7000-8000-000000010003',26,1700000000003,NULL,'{"abbreviation":"S","colour":"#aa3300","name":"Spin"}','{"abbreviation":"1700000000003-0000-0000abcd","colour":"1700000000003-0000-0000abcd","name":"1700000000003-0000-0000abcd"}','owner');
INSERT INTO "record" VALUES('moveType','01a1ff74-f5c5-72ed-93ec-ed70991681a7',3,1795287217605,NULL,'{"abbreviation":"TU","colour":"#248f36","name":"Turn"}','{"abbreviation":"1795287217605-0001-7f7d211d","colour":"1795287217605-0001-7f7d211d","name":"1795287217605-0001-7f7d211d"}','owner');
INSERT INTO "record" VALUES('moveType','01a1ff74-f5c5-76ef-915d-f67bca6e3929',4,1795287217605,NULL,'{"abbreviation":"FR","colour":"#8863de","name":"Freeze"}','{"abbreviation":"1795287217605-0002-7f7d211d","colour":"1795287217605-0002-7f7d211d","name":"1795287217605-0002-7f7d211d"}','owner');
INSERT INTO "record" VALUES('moveType','01a1ff74-f5c5-79ad-999d-9f6780ae9c02',2,1795287217605,NULL,'{"abbreviation":"ST","colour":"#a5730d","name":"Step"}','{"abbreviation":"1795287217605-0000-7f7d211d","colour":"1795287217605-0000-7f7d211d","name":"1795287217605-0000-7f7d211d"}','owner');
INSERT INTO "record" VALUES('part','0193a5b0-0000-7000-8000-000000010002',25,1700000000002,NULL,'{"position":"a","routine":"0193a5b0-0000-7000-8000-000000010001","title":"One"}','{"position":"1700000000002-0000-0000abcd","routine":"1700000000002-0000-0000abcd","title":"1700000000002-0000-0000abcd"}','owner');
INSERT INTO "record" VALUES('part','01a1ff74-f5c9-70a8-8c84-c996fd3aa5fe',19,1795287217609,NULL,'{"endFrame":2867200,"position":"Y","routine":"01a1ff74-f5c9-7cf2-bc27-0c6bb3ed3efb","startFrame":2048000,"title":"Finale","track":"01a1ff74-f5bd-7500-a494-ed3587da6334"}','{"endFrame":"1795287217609-000e-7f7d211d","position":"1795287217609-000e-7f7d211d","routine":"1795287217609-000e-7f7d211d","startFrame":"1795287217609-000e-7f7d211d","title":"1795287217609-000e-7f7d211d","track":"1795287217609-000e-7f7d211d"}','owner');
INSERT INTO "record" VALUES('part','01a1ff74-f5c9-7863-bba4-2cb301d69afd',14,1795287217609,NULL,'{"endFrame":2048000,"position":"X","routine":"01a1ff74-f5c9-7cf2-bc27-0c6bb3ed3efb","startFrame":1228800,"title":"Chorus","track":"01a1ff74-f5bd-7500-a494-ed3587da6334"}','{"endFrame":"1795287217609-0009-7f7d211d","position":"1795287217609-0009-7f7d211d","routine":"1795287217609-0009-7f7d211d","startFrame":"1795287217609-0009-7f7d211d","title":"1795287217609-0009-7f7d211d","track":"1795287217609-0009-7f7d211d"}','owner');
INSERT INTO "record" VALUES('part','01a1ff74-f5c9-7e95-a6cd-70260dbffbb4',9,1795287217609,NULL,'{"endFrame":1228800,"position":"W","routine":"01a1ff74-f5c9-7cf2-bc27-0c6bb3ed3efb","startFrame":409600,"title":"Verse","track":"01a1ff74-f5bd-7500-a494-ed3587da6334"}','{"endFrame":"1795287217609-0004-7f7d211d","position":"1795287217609-0004-7f7d211d","routine":"1795287217609-0004-7f7d211d","startFrame":"1795287217609-0004-7f7d211d","title":"1795287217609-0004-7f7d211d","track":"1795287217609-0004-7f7d211d"}','owner');
INSERT INTO "record" VALUES('part','01a1ff74-f5c9-7ecf-98ee-4d38ed209639',6,1795287217609,NULL,'{"endFrame":409600,"position":"V","routine":"01a1ff74-f5c9-7cf2-bc27-0c6bb3ed3efb","startFrame":0,"title":"Intro","track":"01a1ff74-f5bd-7500-a494-ed3587da6334"}','{"endFrame":"1795287217609-0001-7f7d211d","position":"1795287217609-0001-7f7d211d","routine":"1795287217609-0001-7f7d211d","startFrame":"1795287217609-0001-7f7d211d","title":"1795287217609-0001-7f7d211d","track":"1795287217609-0001-7f7d211d"}','owner');
INSERT INTO "record" VALUES('recording','0193a5b0-0000-7000-8000-00000000f003',34,1795600000000,NULL,'{"fileName":"name.wav","lengthFrames":38400,"sha256":"c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a","size":76844,"state":"ready","title":"name"}','{"fileName":"1795600000000-0000-0000f000","lengthFrames":"1795600000000-0000-0000f000","sha256":"1795600000000-0000-0000f000","size":"1795600000000-0000-0000f000","state":"1795600000000-0000-0000f000","title":"1795600000000-0000-0000f000"}','owner');
INSERT INTO "record" VALUES('routine','0193a5b0-0000-7000-8000-000000010001',24,1700000000001,NULL,'{"subtitle":"رقصة","title":"Swan \"and\" more ✨"}','{"subtitle":"1700000000001-0000-0000abcd","title":"1700000000001-0000-0000abcd"}','owner');
INSERT INTO "record" VALUES('routine','01a1ff74-f5c9-7cf2-bc27-0c6bb3ed3efb',5,1795287217609,NULL,'{"subtitle":"A sample routine to try everything with","title":"Lantern Street"}','{"subtitle":"1795287217609-0000-7f7d211d","title":"1795287217609-0000-7f7d211d"}','owner');
INSERT INTO "record" VALUES('setting','theme',29,1700000000008,NULL,'{"value":"dark"}','{"value":"1700000000008-0000-0000abcd"}','owner');
INSERT INTO "record" VALUES('spot','0193a5b0-0000-7000-8000-00000000f000',31,1795600000000,NULL,'{"endFrame":96000,"part":"0193a5b0-0000-7000-8000-000000010002","startFrame":4800,"title":"Turn"}','{"endFrame":"1795600000000-0000-0000f000","part":"1795600000000-0000-0000f000","startFrame":"1795600000000-0000-0000f000","title":"1795600000000-0000-0000f000"}','owner');
INSERT INTO "record" VALUES('track','01a1ff74-f5bd-7500-a494-ed3587da6334',23,1795287217597,NULL,'{"fileName":"Lantern Street.wav","lengthFrames":2867200,"loudness":-14.74,"sha256":"d7f3341b5081837cd97a6d85873935c5c64b58aff398de8ce708e32505ac0c2d","size":11468844,"state":"ready","title":"Lantern Street"}','{"deletedAt":"1795287217597-0000-7f7d211d","fileName":"1795287217597-0000-7f7d211d","lengthFrames":"1795287219576-0000-7f7d211d","loudness":"1795287219576-0000-7f7d211d","problem":"1795287219576-0000-7f7d211d","sha256":"1795287217597-0000-7f7d211d","size":"1795287217597-0000-7f7d211d","state":"1795287219576-0000-7f7d211d","title":"1795287217597-0000-7f7d211d"}','owner');
INSERT INTO "record" VALUES('video','01a20b15-1d38-7152-9cad-bb208870f19c',30,1795482262841,NULL,'{"fileName":"hevc.mov","framesPerSecond":15.0,"hasSound":1,"height":120,"length":96288,"plays":"conversion","sha256":"6d14d43ec54d378f52cd52703eb3883ef248ca020c0a09aad0c7076595d8bab7","size":27850,"state":"ready","title":"hevc","width":160}','{"deletedAt":"1795482262841-0000-f8a313a8","fileName":"1795482262841-0000-f8a313a8","framesPerSecond":"1795482264187-0000-f8a313a8","hasSound":"1795482264187-0000-f8a313a8","height":"1795482264187-0000-f8a313a8","length":"1795482264187-0000-f8a313a8","plays":"1795482264187-0000-f8a313a8","problem":"1795482264187-0000-f8a313a8","sha256":"1795482262841-0000-f8a313a8","size":"1795482262841-0000-f8a313a8","state":"1795482264187-0000-f8a313a8","title":"1795482262841-0000-f8a313a8","width":"1795482264187-0000-f8a313a8"}','owner');
CREATE TABLE troupe (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "troupe" VALUES('0193a5b0-0000-7000-8000-00000000f007','Class A',1795600900000);
CREATE TABLE pairing (
  hash TEXT PRIMARY KEY,
  maker TEXT,
  person TEXT,
  expiresAt INTEGER NOT NULL,
  isUsed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "pairing" VALUES('5f9c1f3a0b7e4d2c8a6b5e4f3d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2b1a0',NULL,'0193a5b0-0000-7000-8000-00000000f006',1795600300000,1);
CREATE TABLE answered (
  challenge TEXT PRIMARY KEY,
  endsAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "answered" VALUES('0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',1795600300000);
CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE deletion (sha256 TEXT PRIMARY KEY, server INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE hold (
  id TEXT PRIMARY KEY,
  sha256 TEXT,
  server INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "secret" VALUES('challenges','AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
CREATE UNIQUE INDEX record_seq ON record (seq);
CREATE INDEX record_track ON record (json_extract(fields, '$.track'))
  WHERE json_extract(fields, '$.track') IS NOT NULL;
CREATE INDEX record_sha256 ON record (json_extract(fields, '$.sha256'))
  WHERE json_extract(fields, '$.sha256') IS NOT NULL;
CREATE INDEX record_deleted ON record (deletedAt) WHERE deletedAt IS NOT NULL;
CREATE INDEX job_state ON job (state, createdAt);
CREATE INDEX record_routine ON record (json_extract(fields, '$.routine'))
  WHERE json_extract(fields, '$.routine') IS NOT NULL;
CREATE INDEX record_part ON record (json_extract(fields, '$.part'))
  WHERE json_extract(fields, '$.part') IS NOT NULL;
CREATE INDEX earlier_kept ON earlier (keptAt);
CREATE INDEX earlier_part ON earlier (value, record) WHERE field = 'part';
CREATE INDEX record_space ON record (space, seq);
CREATE UNIQUE INDEX personal_seq ON personal (person, seq);
CREATE INDEX passkey_person ON passkey (person);
CREATE INDEX record_move ON record (json_extract(fields, '$.move'))
  WHERE json_extract(fields, '$.move') IS NOT NULL;
CREATE INDEX account_person ON account (person);
COMMIT;
PRAGMA user_version = 17;
