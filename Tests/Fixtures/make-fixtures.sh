#!/bin/sh
# Makes the sound files that the tests read, with ffmpeg, into a folder: make-fixtures.sh DIR
# Nothing is made when the folder is already there. Each file is named after what is special, or
# wrong, about it. All are short; the whole takes a few seconds.
set -eu

target=$1
[ -d "$target" ] && exit 0
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

make() { ffmpeg -nostdin -v error -y "$@"; }

# A rising tone, two channels that differ, 2.5 s; at other rates and with other channels below.
sweep='0.5*sin(2*PI*(200+300*t)*t)|0.4*sin(2*PI*(300+200*t)*t)'
source44="-f lavfi -i aevalsrc='$sweep':s=44100:d=2.5"
tone() { eval make "$source44" '"$@"'; }

make -f lavfi -i "aevalsrc='$sweep':s=48000:d=2.5" sweep-48k.wav
tone sweep-44k1.flac
tone -c:a libmp3lame -b:a 128k cbr.mp3
tone -c:a libmp3lame -q:a 3 vbr.mp3
tone -c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0 without-gapless-header.mp3
tone -c:a aac -b:a 128k -movflags +faststart aac.m4a
tone -c:a alac alac.m4a
tone -c:a libvorbis vorbis.ogg
tone -c:a libopus opus.opus
tone -c:a libopus opus-in.webm
tone -c:a libopus -strict -2 opus-in.mp4
tone sweep.aiff
tone -c:a wmav2 wma.wma
tone -c:a wmav1 old.wma
tone -c:a mp2 layer-2.mp2
tone -c:a aac raw-aac.aac
tone -c:a ac3 dolby.ac3
tone -c:a eac3 dolby-plus.eac3
tone -c:a pcm_s16be core-audio.caf
tone -c:a pcm_u8 eight-bit.wav
tone -c:a pcm_s8 eight-bit.aiff
tone -c:a pcm_s24be twenty-four-bit.aiff
tone -c:a pcm_s32be thirty-two-bit.aiff
tone -c:a pcm_f32be float.aiff
tone -c:a pcm_f64be double.caf
tone -c:a pcm_f64le double.wav
tone -c:a pcm_alaw a-law.wav
tone -c:a pcm_mulaw mu-law.wav
tone -c:a adpcm_ms microsoft-adpcm.wav
tone -c:a adpcm_ima_qt quicktime-adpcm.mov
tone -ar 8000 -ac 1 -c:a libgsm_ms gsm.wav
tone -c:a pcm_s24le twenty-four-bit.wav
tone -c:a pcm_s32le thirty-two-bit.wav
tone -c:a pcm_f32le float.wav
tone -c:a adpcm_ima_wav adpcm.wav
tone -c:a pcm_s16le wave64.w64
tone -ac 1 mono.wav
make -f lavfi -i "aevalsrc='0.3*sin(2*PI*300*t)|0.3*sin(2*PI*310*t)|0.3*sin(2*PI*320*t)|0|0.2*sin(2*PI*330*t)|0.2*sin(2*PI*340*t)':s=48000:d=2.5:c=5.1" surround-5.1.flac
make -f lavfi -i "aevalsrc='$sweep':s=8000:d=2.5" rate-8k.wav
make -f lavfi -i "aevalsrc='$sweep':s=192000:d=2.5" rate-192k.flac

# 125 frames of AMR, all zero: nobody here can encode it, everybody can decode it. NAME MAGIC HEAD BYTES
silent_amr() {
  printf '#!%s\n' "$2" >"$1"
  frame=0
  while [ $frame -lt 125 ]; do
    printf "$3"
    head -c "$4" /dev/zero
    frame=$((frame + 1))
  done >>"$1"
}
silent_amr telephone.amr AMR '\074' 31
silent_amr wide-telephone.amr AMR-WB '\104' 60

make -f lavfi -i color=pink:s=320x320:d=1 -frames:v 1 cover.jpg
make -f lavfi -i color=pink:s=320x320:d=1 -frames:v 1 cover.png
make -i cbr.mp3 -i cover.jpg -map 0 -map 1 -c copy -disposition:v attached_pic cover-art.mp3
make -i aac.m4a -i cover.png -map 0 -map 1 -c copy -disposition:v attached_pic cover-art.m4a
make -i sweep-44k1.flac -i cover.png -map 0 -map 1 -c copy -disposition:v attached_pic cover-art.flac

video="-f lavfi -i testsrc=s=160x120:r=15:d=2.5"
tone $video -c:v libx264 -c:a aac -shortest phone-h264.mp4
tone $video -c:v libx265 -x265-params log-level=none -tag:v hvc1 -c:a aac phone-hevc.mov
tone $video -c:v mpeg4 -c:a aac phone.3gp
tone $video -c:v libvpx -c:a libvorbis camera.webm
tone $video -c:v libx264 -c:a libmp3lame camera.mkv

# One sample at full height in both channels, at these frames, in 25 s of silence.
at='eq(n,100)+eq(n,479999)+eq(n,480000)+eq(n,700001)+eq(n,1000000)'
make -f lavfi -i "aevalsrc='0.9*($at)|0.9*($at)':s=48000:d=25" impulses.wav
make -i impulses.wav impulses.flac
make -f lavfi -i "aevalsrc='0.1*sin(2*PI*220*t)|0.1*sin(2*PI*220*t)':s=48000:d=20" two-chunks.wav

# Two MP3s joined end to end, as people do: rate and channels change half-way.
make -f lavfi -i "aevalsrc='0.5*sin(2*PI*500*t)':s=32000:d=2.5" -c:a libmp3lame -write_xing 0 second.mp3
cat without-gapless-header.mp3 second.mp3 >joined.mp3

# Silence whose last FLAC frame is as short as a frame can be, and a single frame.
make -f lavfi -i anullsrc=r=48000:cl=stereo -af atrim=end_sample=4992 silence-4992.wav
make -f lavfi -i anullsrc=r=48000:cl=stereo -af atrim=end_sample=4810 silence-4810.wav
make -f lavfi -i anullsrc=r=48000:cl=stereo -af atrim=end_sample=1 silence-1.wav

# What is refused.
half() { head -c $(($(stat -c %s "$1") / 2)) "$1" >"$2"; }
half sweep-48k.wav truncated.wav
half sweep-44k1.flac truncated.flac
half cbr.mp3 truncated.mp3
half aac.m4a truncated.m4a
half alac.m4a truncated-without-moov.m4a
half vorbis.ogg truncated.ogg
head -c $(($(stat -c %s vorbis.ogg) - 500)) vorbis.ogg >truncated-late.ogg
half sweep.aiff truncated.aiff
half opus-in.webm truncated.webm
half wma.wma truncated.wma
half core-audio.caf truncated.caf
half wave64.w64 truncated.w64
: >zero-bytes.mp3
head -c 44 sweep-48k.wav >header-only.wav
printf 'RIFF\044\0\0\0WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\100\037\0\0\001\0\010\0data\0\0\0\0' >no-samples.wav
make -f lavfi -i testsrc=s=160x120:r=15:d=1 -c:v libx264 silent-film.mp4
cp cover.jpg picture.mp3
printf 'Dear diary, today I danced.\n' >letter.mp3
head -c 100000 /dev/zero | tr '\0' '\377' >noise.mp3
printf '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/hosts\n#EXT-X-ENDLIST\n' >playlist-hls.mp3
printf 'ffconcat version 1.0\nfile /etc/hosts\n' >playlist-concat.mp3
printf '#EXTM3U\n/etc/hosts\n' >playlist.m3u
printf 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n' >session.sdp
tone -c:a tta unknown-codec.mka
tone -c:a wavpack unknown-container.wv
# 13 hours of 8-bit sound at 8 kHz, but for its header a hole in the disk.
{
  printf 'RIFF\044\344\120\026WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\100\037\0\0\001\0\010\0'
  printf 'data\0\344\120\026'
} >thirteen-hours.wav
truncate -s 374400044 thirteen-hours.wav

mv "$work" "$target"
trap - EXIT
